import { Readable } from 'node:stream'
import QueryStream from 'pg-query-stream'
import { BYTE_ORDER_MARK, type Cell, csvLine } from '../../../shared/csv.ts'
import type { Db } from '../../platform/db.ts'
import type { Statement } from './exports.sql.ts'

const ROWS_AT_ONCE = 500

/** One section of a file: optional lines, a heading, then a line for each row of the statement. */
export type CsvPart = { before?: Cell[][]; headings: Cell[]; statement: Statement; toCells: (row: never) => Cell[] }

/**
 * Streams the sections as one CSV file from a cursor, a few hundred rows at a time, so that any length needs little memory.
 * The connection is released when the file ends or its reader disconnects.
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
  const client = await db.connect()
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
    rows.destroy()
    client.release()
  }
}
