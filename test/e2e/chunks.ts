import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

type Manifest = Record<string, { file: string; name?: string }>

const MANIFEST = resolve(import.meta.dirname, '../../dist/web/manifest.json')

/** The address of the file with a screen's or a part's code, by the name of its module: `cart-page` for `web/features/storefront/cart/cart-page.tsx`. */
export function chunkOf(name: string): string {
  const found = Object.values(JSON.parse(readFileSync(MANIFEST, 'utf8')) as Manifest).find((chunk) => chunk.name === name)
  if (!found) throw new Error(`no file of the built shop has the name ${name}`)
  return `/${found.file}`
}
