import { afterEach, expect, test, vi } from 'vitest'
import { RefusedError } from './http.ts'
import { createPublicData, refreshPublicData } from './public-data.ts'

afterEach(() => void vi.useRealTimers())

test('what came with the page is asked for again once it is half a minute old', async () => {
  vi.useFakeTimers()
  const ask = vi.fn(async () => 'asked for')
  const data = createPublicData(ask, 'in the page')
  await data.loadIfOld()
  expect(data.get()).toEqual({ data: 'in the page', error: null })
  vi.advanceTimersByTime(30_001)
  await data.loadIfOld()
  expect(data.get()).toEqual({ data: 'asked for', error: null })
  await data.loadIfOld()
  expect(ask).toHaveBeenCalledOnce()
})

test('a reply that is older than an announcement is asked for again', async () => {
  const replies: ((value: string) => void)[] = []
  const data = createPublicData(() => new Promise<string>((resolve) => void replies.push(resolve)))
  const loaded = data.load()
  data.set('announced')
  replies[0]?.('older')
  await expect.poll(() => replies.length).toBe(2)
  expect(data.get().data).toBe('announced')
  replies[1]?.('newest')
  await loaded
  expect(data.get().data).toBe('newest')
})

test('an outage is waited out, twice; what was known stays beside the error', async () => {
  vi.useFakeTimers()
  const ask = vi.fn(async () => {
    throw new RefusedError(503, { message: 'away' })
  })
  const data = createPublicData<string>(ask, 'in the page')
  const loaded = data.load()
  await vi.advanceTimersByTimeAsync(3_000)
  await loaded
  expect(ask).toHaveBeenCalledTimes(3)
  expect(data.get()).toEqual({ data: 'in the page', error: expect.objectContaining({ message: 'away' }) })
})

test('a refusal is final', async () => {
  const ask = vi.fn(async () => {
    throw new RefusedError(404, { message: 'gone' })
  })
  const data = createPublicData<string>(ask)
  await data.load()
  expect(ask).toHaveBeenCalledOnce()
  expect(data.get()).toEqual({ data: undefined, error: expect.objectContaining({ message: 'gone' }) })
})

test('after missed announcements it is asked for when it is next wanted', async () => {
  const ask = vi.fn(async () => 'asked for')
  const data = createPublicData(ask, 'in the page')
  refreshPublicData()
  expect(ask).not.toHaveBeenCalled()
  await data.loadIfOld()
  expect(data.get().data).toBe('asked for')
})
