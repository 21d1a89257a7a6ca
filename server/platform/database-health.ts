import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from './log.ts'

export type DatabaseHealth = {
  /** False from when the database stops answering until it answers again. */
  isAlive(): boolean
  /** The time by the database's clock, which all processes share. */
  now(): Date
  /** Resolves after the first check. */
  begun: Promise<void>
  /**
   * Makes the sockets of a pool (its option `stream`). They are destroyed when the database stops answering, and new ones
   * refused until it answers again.
   */
  socket(): Socket
  stop(): Promise<void>
}

const EVERY_MS = 500
const EVERY_WHILE_AWAY_MS = 200
const ANSWER_WITHIN_MS = 2_000
/** Differences up to this are ignored, so that jitter does not move the clock. */
const AGREE_WITHIN_MS = 1_000

/**
 * Pings the database on a connection of its own. When it hangs, the pool's connections are cut, so that waiting requests
 * fail within three seconds instead of hanging too. Their statements may still complete; the idempotency key tells.
 * The ping also reads the database's time: a wrong local clock would end sessions early or late and delay scheduled work.
 */
export function watchDatabase({ url, log }: { url: string; log: Log }): DatabaseHealth {
  const sockets = new Set<Socket>()
  const stopping = new AbortController()
  let alive = true
  let client: pg.Client | null = null
  let ownSocket = new Socket()
  let aheadMs = 0

  async function compareClocks(asked: pg.Client) {
    const askedAt = Date.now()
    const { rows } = await asked.query<{ at: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as at')
    const answeredAt = Date.now()
    const differenceMs = Number(rows[0]?.at) - (askedAt + answeredAt) / 2
    const isWrong = Math.abs(differenceMs) > Math.max(AGREE_WITHIN_MS, answeredAt - askedAt)
    if (isWrong && aheadMs === 0) log.warn({ differenceMs }, "this machine's clock differs from the database's; using the database's")
    aheadMs = isWrong ? differenceMs : 0
  }

  async function beat(): Promise<boolean> {
    if (client) {
      const answer = await answerTo(compareClocks(client))
      if (answer === 'came') return true
      ownSocket.destroy()
      client = null
      if (answer === 'late') return false
    }
    const socket = new Socket()
    const next = new pg.Client({ connectionString: url, application_name: 'dwadi database health', keepAlive: true, stream: () => socket })
    next.on('error', () => undefined)
    if ((await answerTo(next.connect().then(() => compareClocks(next)))) === 'came') {
      client = next
      ownSocket = socket
      return true
    }
    socket.destroy()
    return false
  }

  async function watch() {
    while (!stopping.signal.aborted) {
      const answered = await beat()
      begin()
      if (answered !== alive) logChange(answered)
      alive = answered
      if (!alive) for (const socket of sockets) socket.destroy()
      await sleep(alive ? EVERY_MS : EVERY_WHILE_AWAY_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
    await client?.end().catch(() => undefined)
  }

  function logChange(answered: boolean) {
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
    socket() {
      const socket = new Socket()
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      // In the next tick, or queries queued for a connection would start waiting for the replacement.
      if (!alive) process.nextTick(() => socket.destroy(new Error('Connection terminated: the database does not answer')))
      return socket
    },
    async stop() {
      stopping.abort()
      await watching
    },
  }
}

/** If this process itself was blocked, read pending input before deciding that the answer is late. */
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
