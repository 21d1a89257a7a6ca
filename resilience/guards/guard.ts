import type { Db } from '../../server/platform/db.ts'

/** A file of the program, what stands there, and what takes its place. */
export type Edit = [file: string, was: string, becomes: string]

export type Guard = {
  experiment: string
  runs: number
  removed: string
  /** What is taken out of the database. */
  fromDatabase?: (db: Db) => Promise<void>
  /** What is taken out of the program. */
  fromProgram?: Edit[]
  /** The experiment looks at the program's parts in its own process, so it is the copy's experiment that runs. */
  inCopy?: boolean
}

export async function editFunction(db: Db, name: string, edits: [string, string][]) {
  const { rows } = await db.query<{ source: string }>('select pg_get_functiondef(oid) as source from pg_proc where proname = $1', [name])
  let source = rows[0]?.source as string
  for (const [was, becomes] of edits) {
    if (!source.includes(was)) throw new Error(`${name} has no “${was}”`)
    source = source.replace(was, () => becomes)
  }
  await db.query(source)
}
