import { describe, expect, test } from 'vitest'
import { until } from '../../test/until.ts'
import { startJob } from './jobs.ts'
import { createLog } from './log.ts'

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

/** Work that goes on until it is let go, and counts how often it was begun and how many were at it at once. */
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

describe('a job', () => {
  test('runs by itself again and again', async () => {
    const { state, work } = countedWork()
    const job = startJob({ name: 'test', everyMs: 5, log, work })
    await until(() => state.runs >= 3)
    await job.stop()
  })

  test('runs at once when it is woken', async () => {
    const { state, work } = countedWork()
    const job = startJob({ name: 'test', everyMs: NEVER_MS, log, work })
    job.wake()
    expect(state.runs).toBe(1)
    await job.stop()
  })

  test('is never at it twice; however often it is woken meanwhile, it runs once more', async () => {
    const { state, work, release } = heldWork()
    const job = startJob({ name: 'test', everyMs: NEVER_MS, log, work })
    for (let count = 0; count < 10; count++) job.wake()
    expect(state.begun).toBe(1)
    release()
    await until(() => state.begun === 2)
    release()
    await until(() => state.atOnce === 0)
    expect(state).toEqual({ begun: 2, atOnce: 0, most: 1 })
    await job.stop()
  })

  test('goes on after a run that failed', async () => {
    const errors: unknown[] = []
    const logged = { ...log, error: (details: unknown) => void errors.push(details) } as unknown as typeof log
    let runs = 0
    const job = startJob({
      name: 'test',
      everyMs: NEVER_MS,
      log: logged,
      work: async () => {
        runs += 1
        if (runs === 1) throw new Error('the database is away')
      },
    })
    job.wake()
    await until(() => errors.length === 1)
    expect(errors).toEqual([{ err: new Error('the database is away'), job: 'test' }])
    job.wake()
    await until(() => runs === 2)
    await job.stop()
  })

  test('that is stopped finishes what it is at, and begins nothing more', async () => {
    const { state, work, release } = heldWork()
    const job = startJob({ name: 'test', everyMs: 5, log, work })
    await until(() => state.begun === 1)
    job.wake()
    let stopped = false
    const stopping = job.stop().then(() => {
      stopped = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(stopped).toBe(false)
    release()
    await stopping
    job.wake()
    await new Promise((resolve) => setImmediate(resolve))
    expect(state).toEqual({ begun: 1, atOnce: 0, most: 1 })
  })
})
