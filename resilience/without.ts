import { registerHooks } from 'node:module'
import { GUARDS } from './guards/all.ts'
import { nameOf, type Replacement } from './guards/guard.ts'

// Loaded with --import before a process of the shop, with WITHOUT naming a guard: replaces the exports that the guard names,
// in that process only. The shop's own code knows nothing of it.

const GUARDS_FOLDER = new URL('guards/', import.meta.url)
const MARK = 'without:'

const guard = GUARDS.find((one) => nameOf(one) === process.env.WITHOUT)
if (!guard) throw new Error(`there is no guard “${process.env.WITHOUT}”`)
const replaced = new Map((guard.replaced ?? []).map((one) => [urlOf(one), one]))
guard.atStart?.()

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    return replaced.has(found.url) && !context.parentURL?.startsWith(MARK) ? { url: MARK + found.url, shortCircuit: true } : found
  },
  load(url, context, next) {
    if (!url.startsWith(MARK)) return next(url, context)
    const target = url.slice(MARK.length)
    const names = Object.keys((replaced.get(target) as Replacement).exports)
    const source = [
      `import * as original from '${target}'`,
      `import { replacementsIn } from '${import.meta.url}'`,
      `export * from '${target}'`,
      `const made = replacementsIn('${target}', original)`,
      ...names.map((name) => (name === 'default' ? 'export default made.default' : `export const ${name} = made.${name}`)),
    ]
    return { format: 'module', source: source.join('\n'), shortCircuit: true }
  },
})

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
