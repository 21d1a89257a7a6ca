import { execFileSync } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { whyEquivalent } from './equivalent.ts'
import { nameOf } from './piece-names.ts'
import type { Piece, Tried } from './run.ts'

/** A mutant that counts, wherever it was made: invalid ones are left out. */
type Counted = { piece: string; kind: string; at: string; killed: boolean }
/** What is known of a piece, as it was at a commit. `of` is how many mutants it had, `mutants` how many of them were tried. */
type Known = Piece & {
  commit: string
  mutants: number
  killed: number
  survived: { kind: string; at: string }[]
  equivalent: { why: string; at: string }[]
}
type StrykerReport = {
  files: Record<string, { source: string; mutants: StrykerMutant[] }>
}
type StrykerMutant = {
  mutatorName: string
  replacement: string
  status: string
  statusReason?: string
  location: { start: Place; end: Place }
}
type Place = { line: number; column: number }

const ROOT = resolve(import.meta.dirname, '../..')
const RESULTS = join(ROOT, 'test-results/mutants')
const PAGE = join(ROOT, 'docs/mutants.md')
const REPORTED = join(ROOT, 'docs/mutants.json')
const COMPARISONS = ['comparison', 'EqualityOperator']

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim()
const counted = [...(await fromSql()), ...(await fromStryker())]
const pieces = JSON.parse(await readFile(join(RESULTS, 'pieces.json'), 'utf8')) as Record<string, Piece>
const named = new Map(Object.entries(pieces).map(([piece, described]) => [nameOf(piece), described]))
const known = addTo(JSON.parse(await readFile(REPORTED, 'utf8')) as Record<string, Known>, counted)
await writeFile(REPORTED, `${JSON.stringify(known, null, 2)}\n`)
const page = await readFile(PAGE, 'utf8')
const [head] = page.split(MARK())
await writeFile(PAGE, `${head}${MARK()}\n\n${describe(known)}`)
console.log(summary(Object.values(known)))

/**
 * What was tried here takes the place of what was known of its piece, unless more of it was tried then and nothing survives now; a piece
 * that was not tried keeps its row.
 */
function addTo(before: Record<string, Known>, all: Counted[]): Record<string, Known> {
  const after = { ...before }
  for (const [piece, some] of Map.groupBy(all, (one) => one.piece)) {
    const alive = some.filter(({ killed }) => !killed)
    const now: Known = {
      ...(named.get(piece) ?? { of: some.length, fingerprint: '' }),
      commit,
      mutants: some.length,
      killed: some.length - alive.length,
      survived: alive.filter((one) => whyEquivalent(one) === undefined).map(({ kind, at }) => ({ kind, at })),
      equivalent: alive.flatMap((one) => {
        const why = whyEquivalent(one)
        return why === undefined ? [] : [{ why, at: one.at }]
      }),
    }
    const last = before[piece]
    const isSame = last && JSON.stringify({ ...last, commit }) === JSON.stringify(now)
    const saysLess = last && last.mutants > now.mutants && now.survived.length === 0
    after[piece] = isSame ? last : saysLess ? withoutKilled(last, some) : now
  }
  return after
}

/** What survived then and is noticed now counts as killed. */
function withoutKilled(last: Known, tried: Counted[]): Known {
  const survived = last.survived.filter(({ at }) => !tried.some((one) => one.killed && one.at === at))
  return { ...last, survived, killed: last.killed + last.survived.length - survived.length }
}

function MARK() {
  return '<!-- Below is written by `npm run mutants`. -->'
}

async function fromSql(): Promise<Counted[]> {
  const files = (await readdir(RESULTS)).filter((name) => name.endsWith('.sql.json'))
  const tried = await Promise.all(files.map(async (name) => JSON.parse(await readFile(join(RESULTS, name), 'utf8')) as Tried[]))
  return tried
    .flat()
    .filter(({ verdict }) => verdict !== 'invalid')
    .map(({ piece, kind, at, verdict }) => ({
      piece: nameOf(piece),
      kind,
      at,
      killed: verdict === 'killed',
    }))
}

async function fromStryker(): Promise<Counted[]> {
  const names = (await readdir(RESULTS)).filter((name) => name.endsWith('.typescript.json'))
  const reports = await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(RESULTS, name), 'utf8')) as StrykerReport))
  return reports
    .flatMap(({ files }) => Object.entries(files))
    .flatMap(([piece, { source, mutants }]) =>
      mutants.flatMap((mutant) => {
        const verdict = verdictOf(mutant)
        return verdict === null ? [] : [{ piece, kind: mutant.mutatorName, at: placeOf(source, mutant), killed: verdict === 'killed' }]
      }),
    )
}

/** An error outside of the tests is what the proof of the books says after them. */
function verdictOf({ status, statusReason = '' }: StrykerMutant): 'killed' | 'survived' | null {
  if (status === 'Killed' || status === 'Timeout') return 'killed'
  if (status === 'Survived' || status === 'NoCoverage') return 'survived'
  return status === 'RuntimeError' && /does not add up|Error|refused/.test(statusReason) ? 'killed' : null
}

function placeOf(source: string, { location: { start, end }, replacement }: StrykerMutant): string {
  const lines = source.split('\n')
  const first = lines[start.line - 1] ?? ''
  const last = lines[end.line - 1] ?? ''
  const before = start.line === end.line ? first.slice(start.column - 1, end.column - 1) : `${first.slice(start.column - 1)} …`
  const marked = `${first.slice(0, start.column - 1)}⟦${before} → ${replacement}⟧${last.slice(end.column - 1)}`
  return marked.replaceAll(/\s+/g, ' ').trim()
}

function summary(all: Known[]): string {
  const mutants = sumOf(all, (one) => one.mutants)
  const of = sumOf(all, (one) => one.of)
  const killed = sumOf(all, (one) => one.killed)
  const equivalent = sumOf(all, (one) => one.equivalent.length)
  const survived = all.flatMap((one) => one.survived)
  const inComparisons = survived.filter(({ kind }) => COMPARISONS.includes(kind)).length
  return (
    `${mutants} mutants tried of ${of}, ${killed} killed, ${equivalent} equivalent, ${survived.length} survived: ` +
    `${score(mutants, killed, equivalent)} %; in comparisons ${inComparisons} survived`
  )
}

function sumOf<One>(all: One[], count: (one: One) => number): number {
  return all.reduce((sum, one) => sum + count(one), 0)
}

function score(mutants: number, killed: number, equivalent: number): string {
  return mutants === equivalent ? '–' : ((100 * killed) / (mutants - equivalent)).toFixed(1)
}

function describe(all: Record<string, Known>): string {
  const pieces = Object.entries(all)
  const rows = pieces.map(([piece, { of, mutants, killed, equivalent, survived, commit: at }]) => {
    const name = piece.includes('/') ? piece : `\`${piece}\``
    const share = score(mutants, killed, equivalent.length)
    return `| ${name} | ${of} | ${mutants} | ${killed} | ${equivalent.length} | ${survived.length} | ${share} | ${at} |`
  })
  const alive = pieces.flatMap(([piece, { survived }]) => survived.map(({ at }) => `- ${piece}: \`${at.replaceAll('`', "'")}\``))
  const reasons = Map.groupBy(
    pieces.flatMap(([piece, { equivalent }]) => equivalent.map((one) => ({ piece, ...one }))),
    ({ why }) => why,
  )
  const equivalents = [...reasons].flatMap(([why, some]) => [
    `- ${why}`,
    ...some.map(({ piece, at }) => `  - ${piece}: \`${at.replaceAll('`', "'")}\``),
  ])
  const untried = [...named].filter(([piece]) => !(piece in all))
  return [
    `${summary(Object.values(all))}.`,
    '',
    `Never tried: ${sumOf(untried, ([, { of }]) => of)} mutants of ${untried.length} pieces${untried.length > 0 ? ` (${untried.map(([piece]) => piece).join(', ')})` : ''}.`,
    '',
    '| piece | mutants | tried | killed | equivalent | survived | % | commit |',
    '|---|--:|--:|--:|--:|--:|--:|---|',
    ...rows,
    '',
    '## Survived',
    '',
    ...(alive.length > 0 ? alive : ['None.']),
    '',
    '## Equivalent',
    '',
    ...equivalents,
    '',
  ].join('\n')
}
