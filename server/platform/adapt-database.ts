import pg from 'pg'
import type { Queryable } from './db.ts'

/** Where pg-boss keeps its tables; the name is stored. */
export const JOBS_SCHEMA = 'jobs'

/** bigint and numeric as text: pg-boss reads fractions of seconds, which the shop's own parsers refuse. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
      ? (text: string) => text
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/** A pool or a transaction as pg-boss calls one. */
export function adapt(db: Queryable) {
  return { executeSql: (text: string, values: unknown[] = []) => db.query({ text, values, types } as pg.QueryConfig) }
}
