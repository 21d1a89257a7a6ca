import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { whyEquivalent } from './equivalent.ts'
import type { Tried } from './run.ts'

/** A mutant that counts, wherever it was made: invalid ones are left out. */
type Counted = { piece: string; kind: string; at: string; killed: boolean }
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
const COMPARISONS = ['comparison', 'EqualityOperator']

const counted = [...(await fromSql()), ...(await fromStryker())]
const page = await readFile(PAGE, 'utf8')
const [head] = page.split(MARK())
await writeFile(PAGE, `${head}${MARK()}\n\n${describe(counted)}`)
console.log(summary(counted))

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
      piece: piece.endsWith('.ts') ? `SQL in ${piece}` : piece,
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

function summary(all: Counted[]): string {
  const { mutants, killed, equivalent, survived } = count(all)
  const inComparisons = survivors(all).filter(({ kind }) => COMPARISONS.includes(kind)).length
  return (
    `${mutants} mutants, ${killed} killed, ${equivalent} equivalent, ${survived} survived: ` +
    `${score({ mutants, killed, equivalent })} %; in comparisons ${inComparisons} survived`
  )
}

function survivors(all: Counted[]): Counted[] {
  return all.filter((one) => !one.killed && whyEquivalent(one) === undefined)
}

function count(all: Counted[]) {
  const killed = all.filter((one) => one.killed).length
  const equivalent = all.filter((one) => !one.killed && whyEquivalent(one) !== undefined).length
  return { mutants: all.length, killed, equivalent, survived: all.length - killed - equivalent }
}

function score({ mutants, killed, equivalent }: { mutants: number; killed: number; equivalent: number }): string {
  return mutants === equivalent ? '–' : ((100 * killed) / (mutants - equivalent)).toFixed(1)
}

function describe(all: Counted[]): string {
  const pieces = Map.groupBy(all, ({ piece }) => piece)
  const rows = [...pieces].map(([piece, ofPiece]) => {
    const counts = count(ofPiece)
    return `| ${piece.includes('/') ? piece : `\`${piece}\``} | ${counts.mutants} | ${counts.killed} | ${counts.equivalent} | ${counts.survived} | ${score(counts)} |`
  })
  const alive = survivors(all).map(({ piece, at }) => `- ${piece}: \`${at.replaceAll('`', "'")}\``)
  const reasons = Map.groupBy(
    all.filter((one) => !one.killed && whyEquivalent(one) !== undefined),
    (one) => whyEquivalent(one) ?? '',
  )
  const equivalents = [...reasons].flatMap(([why, some]) => [
    `- ${why}`,
    ...some.map(({ piece, at }) => `  - ${piece}: \`${at.replaceAll('`', "'")}\``),
  ])
  return [
    `${new Date().toISOString().slice(0, 10)}: ${summary(all)}.`,
    '',
    '| piece | mutants | killed | equivalent | survived | % |',
    '|---|--:|--:|--:|--:|--:|',
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
