import { Readable } from 'node:stream'
import QueryStream from 'pg-query-stream'
import { BYTE_ORDER_MARK, type Cell, csvLine } from '../../../../shared/csv.ts'
import type { Db } from '../../../platform/db.ts'
import { type FairTurns, laneOf, openFairTurns } from '../../../platform/fair-turns.ts'
import { shareOf } from '../../../platform/shares.ts'
import type { Statement } from './exports.sql.ts'

const ROWS_AT_ONCE = 500
/** A file holds a connection for as long as its reader takes, and sales need connections too. */
const FILES_AT_ONCE = 4
const MOST_WAITING = 200
/** A reader who takes nothing for this long loses the turn; the file breaks off. */
const IDLE_MS = 15_000
const turns = new WeakMap<Db, FairTurns>()

/** One section of a file: optional lines, a heading, then a line for each row of the statement. */
export type CsvPart = { before?: Cell[][]; headings: Cell[]; statement: Statement; toCells: (row: never) => Cell[] }

/**
 * Streams the sections as one CSV file from a cursor, a few hundred rows at a time, so that any length needs little memory.
 * The connection is released when the file ends or its reader disconnects. At most four files are read from the database at the same time,
 * one of each account; others wait for their turn after their first lines.
 */
export function streamCsv(db: Db, accountId: string, parts: CsvPart[], { idleMs = IDLE_MS } = {}): Readable {
  const gone = new AbortController()
  const file = Readable.from(csvChunks(db, parts, { accountId, idleMs, signal: gone.signal }))
  // Its generator may still wait for a turn, and ends only after that.
  const destroy = file._destroy
  file._destroy = function destroyed(error, done) {
    gone.abort()
    destroy.call(this, error, done)
  }
  return file
}

type Reader = { accountId: string; idleMs: number; signal: AbortSignal }

async function* csvChunks(db: Db, parts: CsvPart[], reader: Reader): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK
  for (const { before = [], headings, statement, toCells } of parts) {
    yield before.map(csvLine).join('') + csvLine(headings)
    yield* rowChunks(db, { statement, toCells }, reader)
  }
}

async function* rowChunks(
  db: Db,
  { statement: { text, values }, toCells }: Pick<CsvPart, 'statement' | 'toCells'>,
  { accountId, idleMs, signal }: Reader,
): AsyncGenerator<string> {
  const filesOf = turns.get(db) ?? openFairTurns({ atOnce: FILES_AT_ONCE, inAll: MOST_WAITING, ...laneOf(shareOf('files')) })
  turns.set(db, filesOf)
  const turn = await filesOf.take({ lane: accountId }, { signal })
  const client = await db.connect().catch((error: Error) => {
    turn.end()
    throw error
  })
  const rows = client.query(new QueryStream(text, values, { batchSize: ROWS_AT_ONCE, highWaterMark: ROWS_AT_ONCE }))
  let freed: Promise<void> | undefined
  const free = (reason?: Error) => {
    freed ??= (async () => {
      // A statement that is still at work would keep the connection busy for whoever takes it next.
      rows.destroy(reason)
      if (!rows.closed) await new Promise<void>((resolve) => rows.once('close', () => resolve()))
      client.release()
      turn.end()
    })()
    return freed
  }
  // Nobody hears of it while the reader stands still.
  rows.on('error', () => undefined)
  const idle = setTimeout(() => void free(new Error('the reader of a file took nothing for too long')), idleMs)
  try {
    let lines = ''
    let count = 0
    for await (const row of rows) {
      lines += csvLine(toCells(row as never))
      count += 1
      if (count % ROWS_AT_ONCE !== 0) continue
      idle.refresh()
      yield lines
      idle.refresh()
      lines = ''
    }
    if (lines) yield lines
  } finally {
    clearTimeout(idle)
    await free()
  }
}
