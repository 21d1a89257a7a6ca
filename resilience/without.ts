import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import type * as ViteModule from 'vite'
import type { InlineConfig, Plugin } from 'vite'
import { GUARDS } from './guards/all.ts'
import { nameOf, type Replacement, replace } from './guards/guard.ts'

// Loaded with --import before a process of the shop, with WITHOUT naming a guard: replaces the exports that the guard names, in
// that process only. In the process that builds the web app, it replaces those of the web app in what is built.

const GUARDS_FOLDER = new URL('guards/', import.meta.url)
const MARK = 'without:'

const guard = GUARDS.find((one) => nameOf(one) === process.env.WITHOUT)
if (!guard) throw new Error(`there is no guard “${process.env.WITHOUT}”`)
const wanted = guard.replaced ?? []
const ofTheWebApp = new Map(wanted.flatMap((one) => (one.module.startsWith('.') ? [[fileURLToPath(urlOf(one)), one]] : [])))
const IN_BUILDS = replace<typeof ViteModule>('vite', {
  build:
    ({ build }) =>
    (config: InlineConfig = {}) =>
      build({ ...config, plugins: [...(config.plugins ?? []), replaceInBuild] }),
})
const replaced = new Map([...wanted, IN_BUILDS].map((one) => [urlOf(one), one]))
const replaceInBuild: Plugin = {
  name: 'without-a-guard',
  enforce: 'pre',
  async resolveId(id, importer, options) {
    if (importer?.startsWith(`\0${MARK}`)) return null
    const found = await this.resolve(id, importer, { ...options, skipSelf: true })
    return found && ofTheWebApp.has(found.id) ? `\0${MARK}${found.id}` : null
  },
  load(id) {
    if (!id.startsWith(`\0${MARK}`)) return null
    const file = id.slice(MARK.length + 1)
    const { exports } = ofTheWebApp.get(file) as Replacement
    // What makes an export runs in the browser there, so it may use nothing of the module that it is written in.
    const made = Object.entries(exports).map(([name, make]) => `${JSON.stringify(name)}: (${make})(original)`)
    return sourceOf(file, exports, `{ ${made.join(', ')} }`)
  },
}
guard.atStart?.()

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    const isOurs = !context.parentURL?.startsWith(MARK) && !context.parentURL?.includes('/node_modules/')
    return isOurs && replaced.has(found.url) ? { url: MARK + found.url, shortCircuit: true } : found
  },
  load(url, context, next) {
    if (!url.startsWith(MARK)) return next(url, context)
    const target = url.slice(MARK.length)
    const { exports } = replaced.get(target) as Replacement
    const source = `import { replacementsIn } from '${import.meta.url}'\n${sourceOf(target, exports, `replacementsIn('${target}', original)`)}`
    return { format: 'module', source, shortCircuit: true }
  },
})

/** A module with the exports of `target`, but for those that are made anew. */
function sourceOf(target: string, exports: Replacement['exports'], made: string): string {
  return [
    `import * as original from '${target}'`,
    `export * from '${target}'`,
    `const made = ${made}`,
    ...Object.keys(exports).map((name) => (name === 'default' ? 'export default made.default' : `export const ${name} = made.${name}`)),
  ].join('\n')
}

function urlOf({ module }: Replacement): string {
  return module.startsWith('.') ? new URL(module, GUARDS_FOLDER).href : import.meta.resolve(module)
}

/** @throws Error for a name that the module does not export. */
export function replacementsIn(url: string, original: Record<string, unknown>): Record<string, unknown> {
  const { exports } = replaced.get(url) as Replacement
  return Object.fromEntries(
    Object.entries(exports).map(([name, make]) => {
      if (!(name in original)) throw new Error(`${url} exports no ${name}`)
      return [name, make(original)]
    }),
  )
}
