import { afterEach, expect, test, vi } from 'vitest'
import { aboutRecord, aboutReply } from './about-record.ts'
import { queryClient } from './query-client.ts'

afterEach(() => queryClient.clear())

const listQuery = { queryKey: ['payments'], queryFn: () => Promise.resolve({ waiting: ['a', 'b'] }) }

test('a question about a part of a reply stands while that part is the same', async () => {
  queryClient.setQueryData(listQuery.queryKey, { waiting: ['a', 'b'] })
  const about = aboutReply(listQuery, ({ waiting }) => waiting.includes('a'))
  const look = vi.fn()
  const stops = about.on.map(({ subscribe }) => subscribe(look))
  expect(about.changed()).toBeNull()
  queryClient.setQueryData(listQuery.queryKey, { waiting: ['a'] })
  expect(about.changed()).toBeNull()
  queryClient.setQueryData(listQuery.queryKey, { waiting: [] })
  expect(about.changed()).toMatch(/^This has changed/)
  await expect.poll(() => look.mock.calls.length).toBeGreaterThan(0)
  for (const stop of stops) stop()
})

test('a reply that was never read says nothing of a question', () => {
  const about = aboutReply(listQuery, ({ waiting }) => waiting)
  expect(about.changed()).toBeNull()
})

test('a record is followed wherever it stands', async () => {
  const record = { _id: 'a', status: 'pending' }
  const about = aboutRecord(record, 'status')
  queryClient.setQueryData(['list'], { rows: [{ ...record }], total: 1 })
  expect(about.changed()).toBeNull()
  queryClient.setQueryData(['list'], { rows: [{ _id: 'a', status: 'paid' }], total: 1 })
  expect(about.changed()).toMatch(/^This has changed/)
})
