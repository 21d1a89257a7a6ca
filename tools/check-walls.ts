import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseFileSync } from '@swc/core'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config'

const ROOT = resolve(import.meta.dirname, '..')
const FIXTURE = join(ROOT, 'tools/walls-fixture')
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

type Violation = { rule: string; from: string; to: string }

const config = await extractDepcruiseConfig(join(ROOT, '.dependency-cruiser.mjs'))
const comments = new Map(config.forbidden?.map(({ name, comment }) => [name, comment]))
comments.set(INLINE_IMPORT_TYPE, "The parser does not see `import('…').Type`; write `import type`.")

const problems = [...(await missedPlants()), ...(await brokenWalls())]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0

/**
 * The fixture breaks every rule, in files that say so with `// breaks: rule`. What is found must be exactly what
 * they say: a rule that finds nothing is a wall with a hole.
 */
async function missedPlants() {
  const { sources, violations } = await walk(FIXTURE)
  const planted = new Set(sources.flatMap(plantsIn))
  const found = new Set(violations.map(({ rule, from }) => `${rule} in ${from}`))
  const unplanted = [...comments.keys()].filter((rule) => !planted.values().some((plant) => plant.startsWith(`${rule} in `)))
  return [
    ...unplanted.map((rule) => `walls-fixture: nothing breaks ${rule}`),
    ...[...planted.difference(found)].map((plant) => `walls-fixture: not found: ${plant}`),
    ...[...found.difference(planted)].map((plant) => `walls-fixture: found by mistake: ${plant}`),
  ]
}

async function brokenWalls() {
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
  const forbidden = summary.violations.map(({ rule, from, to, cycle }) => ({
    rule: rule.name,
    from,
    to: cycle?.map(({ name }) => name).join(' → ') ?? to,
  }))
  return { sources, violations: [...forbidden, ...inlineImportTypes(baseDir, sources)] }
}

function isOurs(baseDir: string, source: string) {
  return /\.tsx?$/.test(source) && !source.includes('node_modules') && existsSync(join(baseDir, source))
}

function inlineImportTypes(baseDir: string, sources: string[]): Violation[] {
  return sources
    .filter((source) => !/\.test\.tsx?$/.test(source))
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

function plantsIn(source: string) {
  const text = readFileSync(join(FIXTURE, source), 'utf8')
  return [...text.matchAll(/^\/\/ breaks: (.+)$/gm)].map(([, rule]) => `${rule} in ${source}`)
}
