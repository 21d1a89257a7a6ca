import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openPool } from '../../server/platform/db.ts'
import { createLog } from '../../server/platform/log.ts'
import { whyEquivalent } from './equivalent.ts'
import { testsOf } from './money-tests.ts'
import { nameOf } from './piece-names.ts'
import { type SchemaMutant, schemaMutants } from './schema-pieces.ts'
import { sourceMutants } from './source-pieces.ts'
import { type Mutant, type Outcome, openBench, PRISTINE } from './try-mutants.ts'

/** What became of a mutant, as it is kept for the report. */
export type Tried = Outcome & { key: string; piece: string; kind: Mutant['kind']; at: string }

/** Of what a piece consists: how many mutants it has, and a hash of them, which changes with its text. */
export type Piece = { of: number; fingerprint: string }

const RESULTS = resolve(import.meta.dirname, '../../test-results/mutants')
/** What the page of results says of each piece. */
const REPORTED = resolve(import.meta.dirname, '../../docs/mutants.json')
/** Runs without a mutation: a test that fails then does not count as killing a mutant. */
const SOUND_EVERY = 250
const USAGE =
  'npm run node -- test/mutants/run.ts [--only <pattern of piece: place>] [--again changed|survived|all] [--sample <how many> --seed <number>] [--list]'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    again: { type: 'string', default: 'new' },
    sample: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
  },
})
if (!['new', 'changed', 'survived', 'all'].includes(values.again) || !/^\d*$/.test(values.sample) || !/^\d+$/.test(values.seed))
  throw new Error(USAGE)

await mkdir(RESULTS, { recursive: true })
let stopping = false
const bench = await openBench()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Vitest would end the process at once, and leave the database behind.
  process.removeAllListeners(signal).once(signal, () => {
    stopping = true
  })
}
try {
  const known = await readResults()
  const mutants = [...(await readSchemaMutants()), ...(await sourceMutants())]
  const all = mutants.map((mutant) => ({ mutant, key: keyOf(mutant) }))
  const pieces = describePieces(all)
  await writeFile(join(RESULTS, 'pieces.json'), `${JSON.stringify(pieces, null, 1)}\n`)
  const reported = JSON.parse(await readFile(REPORTED, 'utf8')) as Record<string, Partial<Piece>>
  const isReported = ({ piece }: Mutant) => pieces[piece]?.fingerprint === reported[nameOf(piece)]?.fingerprint
  const asked = all
    .filter(
      ({ mutant, key }) =>
        new RegExp(values.only).test(`${mutant.piece}: ${mutant.at}`) &&
        !(values.again === 'changed' && isReported(mutant)) &&
        (values.again === 'survived' ? known.get(key)?.verdict === 'survived' : values.again === 'all' || !known.has(key)),
    )
    .sort((one, other) => Number(one.mutant.kind === 'constant') - Number(other.mutant.kind === 'constant'))
  const wanted = values.sample === '' ? asked : sampleOf(asked, Number(values.sample), values.seed)
  console.log(`${all.length} mutants, ${wanted.length} to try`)
  if (values.list) for (const { mutant } of wanted) console.log(`${mutant.piece}: ${mutant.at}`)
  else {
    const files = [...new Set(wanted.flatMap(({ mutant }) => testsOf(mutant.piece)))]
    for (const [index, { mutant, key }] of wanted.entries()) {
      if (stopping) break
      if (index % SOUND_EVERY === 0) await proveSound(files)
      const begun = performance.now()
      const equivalent = whyEquivalent(mutant)
      const outcome: Outcome = equivalent === undefined ? await bench.try(mutant) : { verdict: 'survived', by: equivalent }
      // What failed may have been ended with the run.
      if (stopping) break
      known.set(key, { key, piece: mutant.piece, kind: mutant.kind, at: mutant.at, ...outcome })
      const ofPiece = all.filter((one) => one.mutant.piece === mutant.piece).flatMap((one) => known.get(one.key) ?? [])
      await writeFile(join(RESULTS, fileOf(mutant.piece)), `${JSON.stringify(ofPiece, null, 1)}\n`)
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      console.log(`${index + 1}/${wanted.length} ${outcome.verdict} ${seconds}s ${mutant.piece}: ${mutant.at}   ${outcome.by}`)
    }
  }
} finally {
  await bench.close()
}

function describePieces(all: { mutant: Mutant; key: string }[]): Record<string, Piece> {
  const described = [...Map.groupBy(all, ({ mutant }) => mutant.piece)].map(([piece, some]): [string, Piece] => {
    const hash = createHash('sha256')
    for (const { key } of some) hash.update(key)
    return [piece, { of: some.length, fingerprint: hash.digest('hex').slice(0, 16) }]
  })
  return Object.fromEntries(described)
}

/** The same mutants for the same seed, whatever else is tried: those whose hash with it is least. */
function sampleOf<One extends { key: string }>(mutants: One[], size: number, seed: string): One[] {
  const rankOf = ({ key }: One) => createHash('sha256').update(`${seed}\n${key}`).digest('hex')
  return mutants.toSorted((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1)).slice(0, size)
}

async function proveSound(files: string[]) {
  const sound = await bench.try(null, files)
  if (sound.verdict !== 'survived') throw new Error(`the tests fail without any mutation: ${sound.by}`)
}

/** What is known of each mutant from earlier runs; a piece has a file of its own, so that two runs may share the work. */
async function readResults(): Promise<Map<string, Tried>> {
  const files = (await readdir(RESULTS)).filter((name) => name.endsWith('.sql.json'))
  const tried = await Promise.all(files.map(async (name) => JSON.parse(await readFile(join(RESULTS, name), 'utf8')) as Tried[]))
  return new Map(tried.flat().map((one) => [one.key, one]))
}

function fileOf(piece: string): string {
  return `${piece.replaceAll(/[^a-z0-9_]+/g, '-')}.sql.json`
}

async function readSchemaMutants(): Promise<SchemaMutant[]> {
  const db = openPool({ url: bench.urlOf(PRISTINE), size: 2, log: createLog('silent'), name: 'dwadi-mutants' })
  try {
    return await schemaMutants(db)
  } finally {
    await db.end()
  }
}

function keyOf(mutant: Mutant): string {
  const what = 'install' in mutant ? mutant.install : mutant.at
  return createHash('sha256').update(`${mutant.piece}\n${mutant.at}\n${what}`).digest('hex').slice(0, 16)
}
