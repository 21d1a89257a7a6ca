import type { Socket } from 'node:net'
import pg from 'pg'
import type { Log } from './log.ts'

/** A pool or a transaction's client: anything that can run a statement. */
export type Queryable = { query: pg.Pool['query'] }
export type Db = pg.Pool
export type Tx = pg.PoolClient

/** A sum of whole numbers in SQL, exact up to 2^53. The database adds up bigint as numeric, which takes three times as long. */
export function sumOf(column: string): string {
  return `sum((${column})::float8)::bigint`
}

const INT8 = 20
const NUMERIC = 1700

pg.types.setTypeParser(INT8, toSafeInteger)
pg.types.setTypeParser(NUMERIC, toSafeInteger)

/** bigint columns hold whole pesewas and counts. Throws instead of losing precision. */
function toSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is no safe integer`)
  return value
}

type PoolOptions = { url: string; size: number; log: Log; name: string; isRepeatable?: boolean; socket?: () => Socket }

/**
 * `socket` creates the sockets of the pool's connections. `isRepeatable`: what they write may be lost with the database's process and is
 * then done again, so their commits do not wait for the disk. A commit of another pool still brings to the disk all that came before it.
 */
export function openPool({ url, size, log, name, isRepeatable = false, socket }: PoolOptions): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    application_name: name,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 15_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    ...(socket && { stream: socket }),
    ...(isRepeatable && { onConnect: (client) => client.query('set synchronous_commit = off') }),
  })
  // Without a listener, an idle connection that breaks would end the process. Connections in use report through their next
  // query.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'))
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const MOST_ATTEMPTS = 5

/**
 * Runs `work` in one transaction and retries on serialization failures and deadlocks. Commits, or rolls back and rethrows.
 * @throws whatever `work` or the database throws.
 */
export async function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transactionOnce(db, work)
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !isDatabaseError(error, SERIALIZATION_FAILURE, DEADLOCK)) throw error
    }
  }
}

async function transactionOnce<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = await db.connect()
  let broken: Error | undefined
  try {
    await tx.query('begin')
    const result = await work(tx)
    await tx.query('commit')
    return result
  } catch (error) {
    await tx.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    tx.release(broken)
  }
}

/** True when the database raised `error` with one of these SQLSTATE codes. */
export function isDatabaseError(error: unknown, ...codes: string[]): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code !== undefined && codes.includes(error.code)
}

/** The unique or check constraint that `error` reports as violated, or null. */
export function brokenConstraint(error: unknown): string | null {
  return isDatabaseError(error, '23505', '23514') ? (error.constraint ?? null) : null
}

/** Shutting down, starting up, out of connections, disk or memory, connection failures, idle transaction timeout, a standby that only reads. */
const AWAY = ['57P01', '57P02', '57P03', '53300', '53100', '53200', '58030', '08000', '08003', '08006', '25P03', '25006']

/** True when the database is unreachable or out of resources: reply 503 instead of 500. */
export function isDatabaseAway(error: unknown): boolean {
  if (isDatabaseError(error, ...AWAY)) return true
  if (!(error instanceof Error)) return false
  const code = (error as NodeJS.ErrnoException).code
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT'].includes(code ?? '') ||
    /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/.test(error.message)
  )
}
