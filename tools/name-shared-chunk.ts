import type { Rolldown } from 'vite'

type Modules = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>

const FIRST_SCREENS = /\/web\/features\/storefront\/(?:home\/home-page|store\/store-page)\.tsx$/
const STORE = /\/web\/features\/storefront\/store\/store-page\.tsx$/
const GUESTS = /\/web\/features\/agents\/guest-shop\/guest-shop-page\.tsx$/
const SIGN_IN = /\/web\/features\/people\/auth\//
const AGENTS = /\/web\/.*\/agent\//
/** Too small for files of their own. */
const ICON = /\/lucide-react\/dist\/esm\/icons\//
const NOT_FOR_CUSTOMERS = /\/web\/.*\/(?:admin|design|agent)\//

/**
 * The chunk for a module that several screens share: what both first screens need, what the store and others need, what an agent's shop and others need, or what three
 * or more of the other customers' screens need, or what only agents' screens share. Null leaves it to the bundler, which makes a chunk for each set of screens:
 * with many screens that is more than a hundred small files, whose names alone would weigh a kilobyte on every page.
 */
export function nameSharedChunk(module: string, modules: Modules): string | null {
  const screens = findScreens(module, modules)
  if (screens.length < 2) return null
  if (screens.every((screen) => AGENTS.test(screen))) return 'agents-screens'
  if (screens.filter((screen) => FIRST_SCREENS.test(screen)).length === 2) return 'first-screens'
  if (screens.some((screen) => STORE.test(screen))) return 'store'
  if (screens.some((screen) => GUESTS.test(screen))) return 'guests'
  const ofCustomers = screens.filter((screen) => !NOT_FOR_CUSTOMERS.test(screen)).length
  const ofAll = screens.some((screen) => SIGN_IN.test(screen)) ? 'sign-in' : 'screens'
  if (ICON.test(module)) return ofCustomers > 0 ? ofAll : 'admin-icons'
  return ofCustomers >= 3 ? ofAll : null
}

/** The modules loaded by `import()` that need this one, itself included. */
function findScreens(module: string, modules: Modules): string[] {
  const needing = new Set([module])
  for (const one of needing) for (const importer of modules.getModuleInfo(one)?.importers ?? []) needing.add(importer)
  return [...needing].filter((one) => (modules.getModuleInfo(one)?.dynamicImporters.length ?? 0) > 0)
}
