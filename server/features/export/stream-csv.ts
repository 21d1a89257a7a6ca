import { Readable } from 'node:stream'
import QueryStream from 'pg-query-stream'
import { BYTE_ORDER_MARK, type Cell, csvLine } from '../../../shared/csv.ts'
import type { Db } from '../../platform/db.ts'
import { openTurns } from '../../platform/turns.ts'
import type { Statement } from './exports.sql.ts'

const ROWS_AT_ONCE = 500
/** A file holds a connection for as long as its reader takes, and sales need connections too. */
const FILES_AT_ONCE = 4
const turns = new WeakMap<Db, ReturnType<typeof openTurns>>()

/** One section of a file: optional lines, a heading, then a line for each row of the statement. */
export type CsvPart = { before?: Cell[][]; headings: Cell[]; statement: Statement; toCells: (row: never) => Cell[] }

/**
 * Streams the sections as one CSV file from a cursor, a few hundred rows at a time, so that any length needs little memory.
 * The connection is released when the file ends or its reader disconnects. At most four files are read from the database at the same time;
 * others wait for their turn after their first lines.
 */
export function streamCsv(db: Db, parts: CsvPart[]): Readable {
  return Readable.from(csvChunks(db, parts))
}

async function* csvChunks(db: Db, parts: CsvPart[]): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK
  for (const { before = [], headings, statement, toCells } of parts) {
    yield before.map(csvLine).join('') + csvLine(headings)
    yield* rowChunks(db, statement, toCells)
  }
}

async function* rowChunks(db: Db, { text, values }: Statement, toCells: CsvPart['toCells']): AsyncGenerator<string> {
  const filesOf = turns.get(db) ?? openTurns(FILES_AT_ONCE)
  turns.set(db, filesOf)
  const endTurn = await filesOf.take()
  const client = await db.connect().catch((error: Error) => {
    endTurn()
    throw error
  })
  const rows = client.query(new QueryStream(text, values, { batchSize: ROWS_AT_ONCE, highWaterMark: ROWS_AT_ONCE }))
  try {
    let lines = ''
    let count = 0
    for await (const row of rows) {
      lines += csvLine(toCells(row as never))
      count += 1
      if (count % ROWS_AT_ONCE !== 0) continue
      yield lines
      lines = ''
    }
    if (lines) yield lines
  } finally {
    // A statement that is still at work would keep the connection busy for whoever takes it next.
    rows.destroy()
    if (!rows.closed) await new Promise((resolve) => rows.once('close', resolve))
    client.release()
    endTurn()
  }
}
