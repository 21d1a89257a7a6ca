import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Db } from './db.ts'
import type { Log } from './log.ts'

export type Pulse = {
  /** False from when the database stopped answering until it answers again. */
  isAlive(): boolean
  /** The time by the database's clock, which all processes share. */
  now(): Date
  /** When the database has been asked for the first time. */
  begun: Promise<void>
  /** Cuts this pool's connections too when the database stops answering. */
  guard(pool: Db): void
  stop(): Promise<void>
}

const EVERY_MS = 500
const EVERY_WHILE_AWAY_MS = 200
const ANSWER_WITHIN_MS = 2_000
/** Clocks that differ by no more than this agree: one that jitters would help nobody. */
const AGREE_WITHIN_MS = 1_000

/**
 * Asks the database again and again, on a connection of its own, whether it is there. One that is gone says so by
 * itself; one that hangs says nothing, and every request would hang with it: the pool's connections are then cut, so that
 * those who wait are told within three seconds. What they asked for may still be done: their key tells them.
 *
 * It asks for the time as well. A process whose own clock is wrong would end sessions too early or too late, and keep
 * what another has dated for tomorrow from being done.
 */
export function watchDatabase({ url, log }: { url: string; log: Log }): Pulse {
  const clients = new Set<pg.ClientBase>()
  const stopping = new AbortController()
  let alive = true
  let client: pg.Client | null = null
  let aheadMs = 0

  async function compareClocks(asked: pg.Client) {
    const askedAt = Date.now()
    const { rows } = await asked.query<{ at: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as at')
    const answeredAt = Date.now()
    const differenceMs = Number(rows[0]?.at) - (askedAt + answeredAt) / 2
    const isWrong = Math.abs(differenceMs) > Math.max(AGREE_WITHIN_MS, answeredAt - askedAt)
    if (isWrong && aheadMs === 0) log.warn({ differenceMs }, "this machine's clock is not the database's, which is used instead")
    aheadMs = isWrong ? differenceMs : 0
  }

  async function beat(): Promise<boolean> {
    if (client) {
      const answer = await answerTo(compareClocks(client))
      if (answer === 'came') return true
      cut(client)
      client = null
      if (answer === 'late') return false
    }
    const next = new pg.Client({ connectionString: url, application_name: 'dwadi pulse', keepAlive: true })
    next.on('error', () => undefined)
    if ((await answerTo(next.connect().then(() => compareClocks(next)))) === 'came') {
      client = next
      return true
    }
    cut(next)
    return false
  }

  async function watch() {
    while (!stopping.signal.aborted) {
      const answered = await beat()
      begin()
      if (answered !== alive) tell(answered)
      alive = answered
      if (!alive) for (const each of clients) cut(each)
      await sleep(alive ? EVERY_MS : EVERY_WHILE_AWAY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
    await client?.end().catch(() => undefined)
  }

  function tell(answered: boolean) {
    if (answered) log.info('the database answers again')
    else log.error('the database does not answer')
  }

  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const watching = watch()
  return {
    isAlive: () => alive,
    now: () => new Date(Date.now() + aheadMs),
    begun,
    guard(pool) {
      // Those that wait for a connection would else begin to wait for one that is being made.
      ;(pool as unknown as { Client: unknown }).Client = guardedClient(clients, () => alive)
    },
    async stop() {
      stopping.abort()
      await watching
    },
  }
}

/** A process that was itself held up reads what has come meanwhile before it judges. */
async function answerTo(asked: Promise<unknown>): Promise<'came' | 'failed' | 'late'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => setImmediate(() => setImmediate(resolve, 'late')), ANSWER_WITHIN_MS)
  })
  const answer = asked.then(
    () => 'came' as const,
    () => 'failed' as const,
  )
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/** A connection that is not made while the database is away; `clients` are those that were made or are being made. */
function guardedClient(clients: Set<pg.ClientBase>, isAlive: () => boolean): typeof pg.Client {
  return class extends pg.Client {
    override connect(callback?: unknown): Promise<pg.Client> {
      if (!isAlive() && typeof callback === 'function') {
        process.nextTick(callback as () => void, new Error('Connection terminated: the database does not answer'))
        return Promise.resolve(this as pg.Client)
      }
      clients.add(this as pg.ClientBase)
      this.once('end', () => clients.delete(this as pg.ClientBase))
      return super.connect(callback as never) as unknown as Promise<pg.Client>
    }
  } as typeof pg.Client
}

/** Ends a connection on our side alone; whoever waits on it gets an error at once. */
function cut(client: pg.ClientBase) {
  ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
}
