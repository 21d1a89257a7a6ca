import { describe, expect, test, vi } from 'vitest'
import { until } from '../../test/until.ts'
import { createLog } from './log.ts'
import { startLoop } from './loop.ts'

const NEVER_MS = 3_600_000
const log = createLog('silent')

function countedWork() {
  const state = { runs: 0 }
  return {
    state,
    work: async () => {
      state.runs += 1
    },
  }
}

/** Work that runs until released. Counts how often it started, and the most runs at the same time. */
function heldWork() {
  const state = { begun: 0, atOnce: 0, most: 0 }
  let letGo: (() => void)[] = []
  const work = async () => {
    state.begun += 1
    state.atOnce += 1
    state.most = Math.max(state.most, state.atOnce)
    await new Promise<void>((resolve) => letGo.push(resolve))
    state.atOnce -= 1
  }
  const release = () => {
    for (const go of letGo) go()
    letGo = []
  }
  return { state, work, release }
}

describe('a loop', () => {
  test('repeats on its timer', async () => {
    const { state, work } = countedWork()
    const loop = startLoop({ name: 'test', everyMs: 5, log, work })
    await until(() => state.runs >= 3)
    await loop.stop()
  })

  test('runs at once when woken', async () => {
    const { state, work } = countedWork()
    const loop = startLoop({ name: 'test', everyMs: NEVER_MS, log, work })
    loop.wake()
    expect(state.runs).toBe(1)
    await loop.stop()
  })

  test('never runs twice at the same time; woken during a run, however often, it runs once more', async () => {
    const { state, work, release } = heldWork()
    const loop = startLoop({ name: 'test', everyMs: NEVER_MS, log, work })
    for (let count = 0; count < 10; count++) loop.wake()
    expect(state.begun).toBe(1)
    release()
    await until(() => state.begun === 2)
    release()
    await until(() => state.atOnce === 0)
    expect(state).toEqual({ begun: 2, atOnce: 0, most: 1 })
    await loop.stop()
  })

  test('woken often, it runs at once and then together for all that came within the time apart', async () => {
    vi.useFakeTimers()
    try {
      const { state, work } = countedWork()
      const loop = startLoop({ name: 'test', everyMs: NEVER_MS, apartMs: 100, log, work })
      loop.wake()
      expect(state.runs).toBe(1)
      for (let count = 0; count < 10; count++) {
        await vi.advanceTimersByTimeAsync(9)
        loop.wake()
      }
      expect(state.runs).toBe(1)
      await vi.advanceTimersByTimeAsync(10)
      expect(state.runs).toBe(2)
      await vi.advanceTimersByTimeAsync(200)
      expect(state.runs).toBe(2)
      loop.wake()
      expect(state.runs).toBe(3)
      loop.wake()
      await loop.stop()
      await vi.advanceTimersByTimeAsync(200)
      expect(state.runs).toBe(3)
    } finally {
      vi.useRealTimers()
    }
  })

  test('continues after a failed run', async () => {
    const errors: unknown[] = []
    const logged = { ...log, error: (details: unknown) => void errors.push(details) } as unknown as typeof log
    let runs = 0
    const loop = startLoop({
      name: 'test',
      everyMs: NEVER_MS,
      log: logged,
      work: async () => {
        runs += 1
        if (runs === 1) throw new Error('the database is away')
      },
    })
    loop.wake()
    await until(() => errors.length === 1)
    expect(errors).toEqual([{ err: new Error('the database is away'), loop: 'test' }])
    loop.wake()
    await until(() => runs === 2)
    await loop.stop()
  })

  test('finishes its run when stopped, and starts no other', async () => {
    const { state, work, release } = heldWork()
    const loop = startLoop({ name: 'test', everyMs: 5, log, work })
    await until(() => state.begun === 1)
    loop.wake()
    let stopped = false
    const stopping = loop.stop().then(() => {
      stopped = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(stopped).toBe(false)
    release()
    await stopping
    loop.wake()
    await new Promise((resolve) => setImmediate(resolve))
    expect(state).toEqual({ begun: 1, atOnce: 0, most: 1 })
  })
})
