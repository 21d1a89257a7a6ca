import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Product } from '../../../shared/products.ts'
import type { Shop } from '../../../shared/shop.ts'
import { compress } from './compressed.ts'

/**
 * Runs before the page is painted: the look that was chosen on this browser, and whether a visitor's links are in place.
 * Any other script comes from a file; this one is known to the content security policy by its hash.
 */
const EARLY_SCRIPT =
  "try{var d=document.documentElement.dataset,t=JSON.parse(localStorage.theme||0);if(t)d.theme=t;if(localStorage.userInfo)d.signedIn=''}catch(e){}"
export const EARLY_SCRIPT_SOURCE = `'sha256-${createHash('sha256').update(EARLY_SCRIPT).digest('base64')}'`

type DrawScreen = (screen: { path: string; shop: Shop; products: readonly Product[] }) => Promise<string>
type Page = { title: string; description?: string; head?: string[]; body?: string; catalogue?: readonly Product[] }

/** The pages of the shop: its own details stand in them as data, so that they can change without a rebuild. */
export async function preparePages(root: string, shop: Shop) {
  const template = await readFile(join(root, 'index.html'), 'utf8')
  const drawing = join(root, '../draw')
  const { drawScreen } = (await import(pathToFileURL(join(drawing, 'draw.js')).href)) as { drawScreen: DrawScreen }
  const screens = JSON.parse(await readFile(join(drawing, 'screens.json'), 'utf8')) as Record<string, string[]>

  /** What React wants fetched early it writes before everything else; a page has its head for that. */
  const draw = async (path: string, products: readonly Product[]) => {
    const drawn = await drawScreen({ path, shop, products })
    const early = /^(?:<link [^>]*>)*/.exec(drawn)?.[0] ?? ''
    const code = (screens[path] ?? []).map((file) => `<link rel="modulepreload" crossorigin fetchpriority="low" href="${file}">`)
    return { head: [early, ...code], body: drawn.slice(early.length) }
  }

  const makePage = ({ title, description, head = [], body = '', catalogue }: Page) => {
    const early = [`<script>${EARLY_SCRIPT}</script>`, ...head, '<link rel="manifest" href="/manifest.webmanifest">']
    const data = [dataElement('shop', shop), catalogue ? dataElement('catalogue', catalogue) : '']
    return compress(
      template
        .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
        .replace(/(<meta name="application-name" content=")[^"]*/, (_all, start: string) => start + escapeHtml(shop.name))
        .replace(/(<meta name="description" content=")[^"]*/, (all, start: string) => (description ? start + escapeHtml(description) : all))
        .replace('</head>', () => `${early.join('')}</head>`)
        .replace('<div id="root"></div>', () => `<div id="root">${body}</div>${data.join('')}`),
    )
  }

  return {
    shell: () => makePage({ title: `${shop.name}: ${shop.tagline}` }),
    home: async () =>
      makePage({
        title: `${shop.name}: ${shop.tagline}`,
        description: `${shop.tagline}. MTN, AirtelTigo and Telecel data, airtime, AFA and WAEC checkers, paid from a wallet or by card.`,
        ...(await draw('/', [])),
      }),
    store: async (products: readonly Product[]) =>
      makePage({
        title: `Store · ${shop.name}`,
        description: `${[...new Set(products.map((product) => product.network))].join(', ')}: the bundles of ${shop.name}, with today's prices.`,
        catalogue: products,
        ...(await draw('/store', products)),
      }),
  }
}

function dataElement(id: string, data: unknown): string {
  return `<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
