import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseFileSync } from '@swc/core'
import { cruise, type ICruiseResult, type IModule } from 'dependency-cruiser'
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config'
import { WINGS } from './wings.ts'

const ROOT = resolve(import.meta.dirname, '..')
const FIXTURE = join(ROOT, 'tools/boundaries-fixture')
const PLACES = [
  'server',
  'shared',
  'web',
  'sandbox',
  'db',
  'test',
  'bench',
  'resilience',
  'tools',
  'vite.config.ts',
  'vitest.config.ts',
  'playwright.config.ts',
]
const INLINE_IMPORT_TYPE = 'no-inline-import-type'
const FOLDER_CYCLE = 'no-folder-cycle'
const FILE_NAME = 'feature-file-name'
const WING = 'one-wing'

const FEATURE = /^(?:server|web)\/features\/([^/]+)\/([^/]+)/
const TEST = /\.test\.tsx?$/

const KINDS = /^(routes|queries|present|events|jobs|[a-z-]+\.sql)\.ts$/
/** Every other file of a server feature is named after what its first function does, such as `approve-recharge.ts`. */
const VERBS =
  'adopt approve cancel change check choose claim close compose confirm count create credit decide decline delete dismiss encode ' +
  'end ensure explain extend find fold gather give hash hold lift limit list login logout match note notify open parse pause place post price ' +
  'publish query read receive reconcile record refuse register relay release reopen replace request require reserve reset retry reveal schedule seal send ' +
  'rotate settle spend split start stream take undo void'

/** The files of a web feature, or of its `admin` or `agent` folder, that are not named after something in them: calls and hooks, and texts. */
const WEB_KINDS = /^(api|[a-z-]+-words)\.ts$/

type Violation = { rule: string; from: string; to: string }

const config = await extractDepcruiseConfig(join(ROOT, '.dependency-cruiser.mjs'))
const comments = new Map(config.forbidden?.map(({ name, comment }) => [name, comment]))
comments.set(INLINE_IMPORT_TYPE, "The parser does not see `import('…').Type`; write `import type`.")
comments.set(FOLDER_CYCLE, 'Features that need each other are one feature, or lack a third below both.')
comments.set(WING, `A feature stands in one of these wings, and in the same one on both sides: ${WINGS.join(', ')}.`)
comments.set(
  FILE_NAME,
  'A file of a server feature is routes, queries, present, events, jobs, *.sql, or a verb and its object; then it exports a function ' +
    'that begins with the verb. The verbs are listed in tools/check-boundaries.ts. A file of a web feature is api.ts, *-words.ts, or exports ' +
    'what it is named after: product-card.tsx a ProductCard, use-order-keys.ts a useOrderKeys.',
)

const problems = [...(await checkFixture()), ...(await checkCode())]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0

/**
 * The fixture breaks every rule, in files that say so with `// breaks: rule`. The violations found must be exactly those,
 * so that a rule that no longer finds anything fails the check. In the server, those whose name is not the point are called `.sql.ts`.
 */
async function checkFixture() {
  const { sources, violations } = await walk(FIXTURE)
  const planted = new Set(sources.flatMap(plantedIn))
  const found = new Set(violations.map(({ rule, from }) => `${rule} in ${from}`))
  const unplanted = [...comments.keys()].filter((rule) => !planted.values().some((plant) => plant.startsWith(`${rule} in `)))
  return [
    ...unplanted.map((rule) => `boundaries-fixture: nothing breaks ${rule}`),
    ...[...planted.difference(found)].map((plant) => `boundaries-fixture: not found: ${plant}`),
    ...[...found.difference(planted)].map((plant) => `boundaries-fixture: found by mistake: ${plant}`),
  ]
}

async function checkCode() {
  const { sources, violations } = await walk(ROOT)
  if (sources.length === 0) return ['no module was read']
  console.log(`${sources.length} modules, ${comments.size} rules, ${violations.length} violations`)
  return violations.map(({ rule, from, to }) => `${rule}: ${from} → ${to}\n    ${comments.get(rule) ?? ''}`)
}

async function walk(baseDir: string): Promise<{ sources: string[]; violations: Violation[] }> {
  const places = PLACES.filter((place) => existsSync(join(baseDir, place)))
  const { enhancedResolveOptions, ...options } = config.options ?? {}
  const result = await cruise(places, { ...options, baseDir, validate: true, ruleSet: config }, enhancedResolveOptions)
  const { modules, summary } = result.output as ICruiseResult
  const sources = modules.map(({ source }) => source).filter((source) => isOurs(baseDir, source))
  const names = sources.filter((source) => isMisnamed(baseDir, source)).map((from) => ({ rule: FILE_NAME, from, to: 'its name' }))
  const forbidden = summary.violations.map(({ rule, from, to, cycle }) => ({
    rule: rule.name,
    from,
    to: cycle?.map(({ name }) => name).join(' → ') ?? to,
  }))
  return {
    sources,
    violations: [...forbidden, ...inlineImportTypes(baseDir, sources), ...folderCycles(modules), ...names, ...strayFeatures(sources)],
  }
}

/** Imports between two features, or the folders of web features, from which the importing one can be reached again. Tests may import any. */
function folderCycles(modules: IModule[]): Violation[] {
  const imports = modules
    .filter(({ source }) => !TEST.test(source))
    .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => ({ from: source, to: resolved })))
  const found = [...cyclesBetween(imports, featureOf), ...cyclesBetween(imports, webFolderOf)]
  return found.map(({ from, to }) => ({ rule: FOLDER_CYCLE, from, to }))
}

/** The files of features in no wing, or in another one than the feature of that name on the other side. */
function strayFeatures(sources: string[]): Violation[] {
  const wings = new Map<string, string>()
  return sources.flatMap((from) => {
    const [, wing = '', feature = ''] = FEATURE.exec(from) ?? []
    if (feature === '') return []
    if (!wings.has(feature)) wings.set(feature, wing)
    const to = wings.get(feature) as string
    return WINGS.includes(wing) && wing === to ? [] : [{ rule: WING, from, to }]
  })
}

type Import = { from: string; to: string }

function cyclesBetween(imports: Import[], folderOf: (path: string) => string | null): Import[] {
  const between = imports.flatMap((found) => {
    const [one, other] = [folderOf(found.from), folderOf(found.to)]
    return one !== null && other !== null && one !== other ? [{ ...found, one, other }] : []
  })
  const above = new Map<string, Set<string>>()
  for (const { one, other } of between) above.set(one, (above.get(one) ?? new Set()).add(other))
  return between.filter(({ one, other }) => reaches(above, other, one))
}

function featureOf(path: string): string | null {
  return FEATURE.exec(path)?.[0] ?? null
}

function webFolderOf(path: string): string | null {
  return path.startsWith('web/features/') ? dirname(path) : null
}

function reaches(edges: Map<string, Set<string>>, from: string, to: string, seen = new Set<string>()): boolean {
  if (from === to) return true
  if (seen.has(from)) return false
  seen.add(from)
  return [...(edges.get(from) ?? [])].some((next) => reaches(edges, next, to, seen))
}

function isMisnamed(baseDir: string, source: string): boolean {
  const [, side, name = ''] = /^(server|web)\/features\/[^/]+\/[^/]+\/(.+)$/.exec(source) ?? []
  if (name === '' || TEST.test(name) || name.endsWith('.d.ts')) return false
  const text = () => readFileSync(join(baseDir, source), 'utf8')
  return side === 'server' ? isMisnamedInServer(name, text) : isMisnamedInWeb(name.replace(/^(?:admin|agent)\//, ''), text)
}

function isMisnamedInServer(name: string, text: () => string): boolean {
  if (KINDS.test(name)) return false
  const [, verb = ''] = /^([a-z]+)(?:-[a-z]+)*\.ts$/.exec(name) ?? []
  if (!VERBS.split(' ').includes(verb)) return true
  return !new RegExp(`^export (async )?function ${verb}(?![a-z])`, 'm').test(text())
}

function isMisnamedInWeb(name: string, text: () => string): boolean {
  if (WEB_KINDS.test(name)) return false
  const [, stem, ending] = /^([a-z]+(?:-[a-z]+)*)\.(tsx?)$/.exec(name) ?? []
  if (stem === undefined) return true
  const pascal = stem.replace(/(^|-)([a-z])/g, (_all, _dash, letter: string) => letter.toUpperCase())
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1)
  const component = `(default )?function ${pascal}`
  const other = `((async )?function|const) ${camel}|type ${pascal}`
  return !new RegExp(`^export (${ending === 'tsx' ? `${component}|` : ''}${other})\\b`, 'm').test(text())
}

function isOurs(baseDir: string, source: string) {
  return /\.tsx?$/.test(source) && !source.includes('node_modules') && existsSync(join(baseDir, source))
}

function inlineImportTypes(baseDir: string, sources: string[]): Violation[] {
  return sources
    .filter((source) => !TEST.test(source))
    .flatMap((source) => inlineTypesOf(join(baseDir, source)).map((to) => ({ rule: INLINE_IMPORT_TYPE, from: source, to })))
}

function inlineTypesOf(path: string) {
  const found: string[] = []
  JSON.stringify(parseFileSync(path, { syntax: 'typescript', tsx: path.endsWith('x') }), (_key, node) => {
    if (node?.type === 'TsImportType' && node.argument.value.startsWith('.')) found.push(node.argument.value)
    return node
  })
  return found
}

function plantedIn(source: string) {
  const text = readFileSync(join(FIXTURE, source), 'utf8')
  return [...text.matchAll(/^\/\/ breaks: (.+)$/gm)].map(([, rule]) => `${rule} in ${source}`)
}
