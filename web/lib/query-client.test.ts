import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { queryClient, replaceInLists } from './query-client.ts'

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
