import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { queryClient, readAgain, refreshSoon, replaceInLists } from './query-client.ts'

type Row = { _id: string; status: string }

test('a list whose reply is older than a later announcement is fetched again', async () => {
  const before: Row = { _id: '1', status: 'pending' }
  const after: Row = { _id: '1', status: 'rejected' }
  let asked = 0
  let reply: (rows: Row[]) => void = () => undefined
  const list = new QueryObserver<Row[]>(queryClient, {
    queryKey: ['recharges'],
    queryFn: () => {
      asked += 1
      if (asked > 2) return [after]
      return new Promise<Row[]>((resolve) => {
        reply = resolve
      })
    },
  })
  const stop = list.subscribe(() => undefined)
  reply([before])
  await expect.poll(() => list.getCurrentResult().data).toEqual([before])

  const refetched = list.refetch()
  expect(replaceInLists(['recharges'], after)).toBe(true)
  reply([before])
  await refetched
  await expect.poll(() => list.getCurrentResult().data).toEqual([after])
  expect(asked).toBe(3)
  stop()
  queryClient.clear()
})

/** A list on the screen, whose replies come when a test lets them. */
function openList() {
  const replies: ((waiting: number) => void)[] = []
  const list = new QueryObserver<number>(queryClient, {
    queryKey: ['inbox'],
    queryFn: () => new Promise((resolve) => replies.push(resolve)),
  })
  return { list, replies, stop: list.subscribe(() => undefined) }
}

test.each([
  ['an announcement', () => refreshSoon(['inbox'])],
  ['a connection', () => readAgain()],
])('a first reply that is older than %s is fetched again', async (_what, happens) => {
  const { list, replies, stop } = openList()
  await expect.poll(() => replies.length).toBe(1)
  happens()
  await new Promise((resolve) => setTimeout(resolve, 350))
  replies[0]?.(0)
  await expect.poll(() => replies.length).toBe(2)
  replies[1]?.(1)
  await expect.poll(() => list.getCurrentResult().data).toBe(1)
  expect(replies.length).toBe(2)
  stop()
  queryClient.clear()
})

test('a first reply that is long on its way is fetched again once, however much was announced meanwhile', async () => {
  const { list, replies, stop } = openList()
  await expect.poll(() => replies.length).toBe(1)
  for (let announced = 0; announced < 10; announced++) readAgain({ queryKey: ['inbox'] })
  replies[0]?.(0)
  await expect.poll(() => replies.length).toBeGreaterThan(1)
  for (const reply of replies) reply(1)
  await expect.poll(() => list.getCurrentResult()).toMatchObject({ data: 1, fetchStatus: 'idle' })
  expect(replies.length).toBe(2)
  stop()
  queryClient.clear()
})

test('what is announced faster than replies come shows each reply that comes, and the newest at last', async () => {
  const { list, replies, stop } = openList()
  const shows = (waiting: number) => expect.poll(() => list.getCurrentResult().data).toBe(waiting)
  const announce = () => readAgain({ queryKey: ['inbox'] }, { isOften: true })
  await expect.poll(() => replies.length).toBe(1)
  replies[0]?.(1)
  await shows(1)
  for (let announced = 0; announced < 10; announced++) announce()
  expect(replies.length).toBe(3)
  replies[1]?.(2)
  replies[2]?.(3)
  await shows(3)
  await expect.poll(() => replies.length).toBe(4)
  // A connection may have lost it on the way.
  readAgain()
  expect(replies.length).toBe(5)
  replies[4]?.(5)
  await shows(5)
  await expect.poll(() => list.getCurrentResult().fetchStatus).toBe('idle')
  expect(replies.length).toBe(5)
  stop()
  queryClient.clear()
})
