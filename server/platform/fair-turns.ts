import { ServiceUnavailable, TooManyAttempts } from './errors.ts'
import type { Share } from './shares.ts'

/** Whose work it is: work in the same lane waits for one another, and lanes take turns. An account is limited within its lane as well. */
export type Lane = { lane: string; account?: string }

/** `rest` leaves the place to others but still counts for the lane; `end` ends both. Repeated calls do nothing. */
export type Turn = { rest(): void; end(): void }

export type TurnLimits = {
  /** The most that run at once. */
  atOnce: number
  /** Limits for running, resting and waiting together: per account in a lane, per lane, and in total. */
  perAccount?: number
  perLane: number
  inAll: number
  /** The most of one lane that run or rest at once; as many as there are places without it. */
  runningPerLane?: number
  /** Work that waits for longer is refused. */
  waitMs?: number
}

const RETRY_AFTER_MS = 2_000

type Waiting = { weight: number; start: () => void; leave: () => void }

/**
 * Gives out a number of places. Lanes take turns, so that a flood in one delays others by one piece of work at most; what is over a
 * limit is refused at once. When all places for waiting are taken, the newest of the longest lane goes.
 */
export function openFairTurns({ atOnce, perAccount, perLane, inAll, runningPerLane = atOnce, waitMs }: TurnLimits) {
  const lanes = new Map<string, Waiting[]>()
  const held = new Map<string, number>()
  /** Of each lane, the weight of what runs or rests. */
  const busy = new Map<string, number>()
  let running = 0
  let total = 0

  function startNext() {
    for (const [lane, waiting] of lanes) {
      if (running >= atOnce) return
      const next = waiting[0] as Waiting
      const before = busy.get(lane) ?? 0
      if (before > 0 && before + next.weight > runningPerLane) continue
      waiting.shift()
      // Moves the lane to the end of the round, which comes by again in this loop.
      lanes.delete(lane)
      if (waiting.length > 0) lanes.set(lane, waiting)
      running += 1
      busy.set(lane, before + next.weight)
      next.start()
    }
  }

  /** Full, the longest queue gives a place to whoever has fewer: many lanes together keep nobody out. */
  function makeRoom(lane: string) {
    let longest: Waiting[] | undefined
    for (const waiting of lanes.values()) if (waiting.length > (longest?.length ?? 0)) longest = waiting
    if (!longest || longest.length <= (held.get(lane) ?? 0) + 1) throw new ServiceUnavailable()
    longest.at(-1)?.leave()
  }

  function hold(keys: [string, number][]) {
    for (const [key, most] of keys) if ((held.get(key) ?? 0) >= most) throw new TooManyAttempts(RETRY_AFTER_MS)
    if (total >= inAll) makeRoom(keys[0]?.[0] as string)
    total += 1
    for (const [key] of keys) add(held, key, 1)
  }

  function letGo(keys: [string, number][]) {
    total -= 1
    for (const [key] of keys) add(held, key, -1)
  }

  function wait(lane: string, weight: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const leave = () => {
        const left = (lanes.get(lane) ?? []).filter((other) => other !== entry)
        if (left.length > 0) lanes.set(lane, left)
        else lanes.delete(lane)
        signal?.removeEventListener('abort', leave)
        clearTimeout(timer)
        reject(new TooManyAttempts(RETRY_AFTER_MS))
      }
      const entry = {
        weight,
        leave,
        start: () => {
          signal?.removeEventListener('abort', leave)
          clearTimeout(timer)
          resolve()
        },
      }
      const timer = waitMs === undefined ? undefined : setTimeout(leave, waitMs)
      signal?.addEventListener('abort', leave)
      const waiting = lanes.get(lane)
      if (waiting) waiting.push(entry)
      else lanes.set(lane, [entry])
      if (signal?.aborted) leave()
      startNext()
    })
  }

  /**
   * Waits for a place. `weight`: how much of the lane's own places it takes. `signal`: the asker has gone.
   * @throws TooManyAttempts or ServiceUnavailable when too many already wait, it waited for too long, or the asker has gone; the work must
   * not begin.
   */
  async function take({ lane, account }: Lane, { weight = 1, signal }: { weight?: number; signal?: AbortSignal } = {}): Promise<Turn> {
    const keys: [string, number][] = [[lane, perLane]]
    if (account !== undefined && perAccount !== undefined) keys.push([`${lane} ${account}`, perAccount])
    hold(keys)
    try {
      await wait(lane, weight, signal)
    } catch (error) {
      letGo(keys)
      throw error
    }
    let stage: 'running' | 'resting' | 'ended' = 'running'
    const rest = () => {
      if (stage !== 'running') return
      stage = 'resting'
      running -= 1
      startNext()
    }
    return {
      rest,
      end() {
        if (stage === 'ended') return
        if (stage === 'running') running -= 1
        stage = 'ended'
        letGo(keys)
        add(busy, lane, -weight)
        startNext()
      },
    }
  }

  return { take, waiting: () => lanes.values().reduce((sum, waiting) => sum + waiting.length, 0) }
}

export type FairTurns = ReturnType<typeof openFairTurns>

/** @throws whatever `take` or `work` throws. */
export async function runInTurn<T>(turns: FairTurns, asker: Lane, work: () => Promise<T>): Promise<T> {
  const turn = await turns.take(asker)
  try {
    return await work()
  } finally {
    turn.end()
  }
}

/** The limits of a lane as a share of work in flight has them. */
export function laneOf({ most, ...share }: Share): Pick<TurnLimits, 'perLane' | 'runningPerLane'> {
  const waiting = 'waiting' in share ? share.waiting : 0
  return { perLane: most + waiting, runningPerLane: most }
}

function add(counts: Map<string, number>, key: string, by: number) {
  const now = (counts.get(key) ?? 0) + by
  if (now > 0) counts.set(key, now)
  else counts.delete(key)
}
