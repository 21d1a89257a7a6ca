import { afterEach, expect, test, vi } from 'vitest'
import { type DiskSpace, watchDiskSpace } from './disk-space.ts'
import type { Log } from './log.ts'

const MB = 1_000_000
let freeMb: number | null = 5_000
let watching: DiskSpace

vi.mock('node:fs/promises', () => ({
  statfs: async () => {
    if (freeMb === null) throw new Error('no such disk')
    return { bavail: (freeMb * MB) / 1_000, bsize: 1_000 }
  },
}))

const said: Record<string, unknown>[] = []
const log = {
  error: (facts: Record<string, unknown>) => void said.push(facts),
  info: () => undefined,
  warn: (facts: Record<string, unknown>) => void said.push(facts),
} as unknown as Log

async function open(free: number | null) {
  vi.useFakeTimers()
  said.length = 0
  freeMb = free
  watching = await watchDiskSpace({ folder: '/somewhere', lowMb: 1_000, log })
}

async function pass(minutes: number, free: number | null = freeMb) {
  freeMb = free
  await vi.advanceTimersByTimeAsync(minutes * 60_000)
}

afterEach(() => {
  watching.stop()
  vi.useRealTimers()
})

test('a disk with enough space says nothing', async () => {
  await open(1_000)
  await pass(60)
  expect([watching.low(), said]).toEqual([null, []])
})

test('the alarm is raised within seconds of the limit, repeated every ten minutes, and over with a tenth more than the limit', async () => {
  await open(5_000)
  await pass(0.1, 999.9)
  expect(watching.low()).toMatchObject({ freeMb: 999 })
  expect(said).toEqual([{ alarm: 'disk-low', freeMb: 999, lowMb: 1_000, folder: '/somewhere' }])
  const since = watching.low()?.since
  await pass(9.8)
  expect(said).toHaveLength(1)
  await pass(0.3)
  expect(said).toHaveLength(2)
  await pass(0.1, 1_050)
  expect(watching.low()).toEqual({ freeMb: 1_050, since })
  await pass(0.1, 1_100)
  expect(watching.low()).toBeNull()
})

test('a disk is full when less than a megabyte is left, and one that does not say is not', async () => {
  await open(1)
  expect([await watching.isFull(), await watching.freeBytes()]).toEqual([false, MB])
  freeMb = 0.9
  expect(await watching.isFull()).toBe(true)
  freeMb = null
  expect([await watching.isFull(), await watching.freeBytes()]).toEqual([false, null])
  await pass(0.1)
  // What was known stays known.
  expect(watching.low()).toMatchObject({ freeMb: 1 })
})
