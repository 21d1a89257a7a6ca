import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { connectionTexts } from '../texts/connection.ts'
import { request } from './http.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A line on which the reply to each path begins and ends after so many seconds. */
function openLine(seconds: Record<string, [begins: number, ends: number]>) {
  const after = (s: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      setTimeout(resolve, s * 1000)
    })
  vi.stubGlobal('fetch', async (path: string, { signal }: { signal: AbortSignal }) => {
    const [begins, ends] = seconds[path.replace('/api', '')] ?? [Number.POSITIVE_INFINITY, 0]
    if (begins === Number.POSITIVE_INFINITY) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    await after(begins, signal)
    const body = new ReadableStream({
      async start(stream) {
        await after(ends - begins, signal).then(
          () => {
            stream.enqueue(new TextEncoder().encode('"here"'))
            stream.close()
          },
          (error) => stream.error(error),
        )
      },
    })
    return new Response(body)
  })
}

function ask(path: string) {
  const seen = { after: Number.NaN, what: undefined as unknown }
  const startedAt = performance.now()
  const note = (what: unknown) => Object.assign(seen, { what, after: Math.round((performance.now() - startedAt) / 1000) })
  request('GET', path, { withToken: false }).then(note, (error: Error) => note(error.message))
  return seen
}

it('a line without any reply is given up after 20 seconds', async () => {
  await vi.advanceTimersByTimeAsync(100_000)
  openLine({})
  const lost = ask('/lost')
  await vi.advanceTimersByTimeAsync(30_000)
  expect(lost).toEqual({ what: connectionTexts.notReached, after: 20 })
})

it('a reply that takes long is waited for while it or others arrive', async () => {
  await vi.advanceTimersByTimeAsync(100_000)
  openLine({ '/whole': [15, 33], '/first': [10, 11], '/behind': [28, 29] })
  const [whole, , behind] = [ask('/whole'), ask('/first'), ask('/behind')]
  await vi.advanceTimersByTimeAsync(60_000)
  expect(whole).toEqual({ what: 'here', after: 33 })
  expect(behind).toEqual({ what: 'here', after: 29 })
})

it('a reply that never comes is given up after a minute, whatever else arrives', async () => {
  await vi.advanceTimersByTimeAsync(100_000)
  openLine({ '/often': [1, 2] })
  const lost = ask('/lost')
  for (let second = 0; second < 90; second += 5) {
    ask('/often')
    await vi.advanceTimersByTimeAsync(5_000)
  }
  expect(lost).toEqual({ what: connectionTexts.notReached, after: 60 })
})
