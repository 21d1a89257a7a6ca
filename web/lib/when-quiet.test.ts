import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { session } from './session.ts'
import { keepsPages, loadAhead, whenQuiet } from './when-quiet.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** What has come over the line, each with the seconds from its request to its end. */
function bring(...files: [from: number, to: number][]) {
  vi.spyOn(performance, 'getEntriesByType').mockImplementation(() =>
    files
      .filter(([, to]) => to * 1000 <= performance.now())
      .map(([from, to]) => ({ responseEnd: to * 1000, duration: (to - from) * 1000 }) as PerformanceResourceTiming),
  )
}

async function secondsUntilQuiet(): Promise<number> {
  let at = Number.NaN
  void whenQuiet().then(() => {
    at = performance.now() / 1000
  })
  await vi.advanceTimersByTimeAsync(60_000)
  return at
}

it('a line that has brought nothing, or all of it quickly, is quiet at once', async () => {
  bring()
  expect(await secondsUntilQuiet()).toBeLessThan(0.1)
  bring([59.9, 59.95])
  expect(await secondsUntilQuiet()).toBeLessThan(60.2)
})

it('a slow line is quiet once nothing has come for three times as long as the last thing took', async () => {
  bring([0, 3], [2, 5.5])
  await vi.advanceTimersByTimeAsync(4_000)
  expect(await secondsUntilQuiet()).toBeCloseTo(16, 0)
})

it('waits half a minute at most', async () => {
  bring(...Array.from({ length: 200 }, (_, second): [number, number] => [second, second + 3]))
  await vi.advanceTimersByTimeAsync(4_000)
  const before = performance.now() / 1000
  expect((await secondsUntilQuiet()) - before).toBeCloseTo(30, 0)
})

it('with the data saver nothing is loaded ahead, and only customers keep pages', async () => {
  bring()
  const load = vi.fn(async () => undefined)
  vi.stubGlobal('navigator', { connection: { saveData: true } })
  await loadAhead(load)
  expect(load).not.toHaveBeenCalled()
  expect(keepsPages()).toBe(false)
  vi.spyOn(session, 'get').mockReturnValue({ _id: '1' } as never)
  expect(keepsPages()).toBe(true)
  vi.stubGlobal('navigator', {})
  void loadAhead(load)
  await vi.advanceTimersByTimeAsync(200)
  expect(load).toHaveBeenCalledOnce()
})
