import { expect, test } from 'vitest'
import { PAGE_SIZES } from './limits.ts'
import { listQuery } from './lists.ts'

test.each([
  [{ page: '0' }, 'page', 'The page is a whole number from 1.'],
  [{ page: '-1' }, 'page', 'The page is a whole number from 1.'],
  [{ page: '1.5' }, 'page', 'The page is a whole number from 1.'],
  [{ page: 'two' }, 'page', 'The page is a whole number from 1.'],
  [{ page: '' }, 'page', 'The page is a whole number from 1.'],
  [{ page: ['1', '2'] }, 'page', 'The page is a whole number from 1.'],
  [{ page: '1000001' }, 'page', 'The page is a whole number from 1.'],
  [{ pageSize: '7' }, 'pageSize', 'The page size is one of 5, 10, 20, 50.'],
  [{ pageSize: '1000' }, 'pageSize', 'The page size is one of 5, 10, 20, 50.'],
  [{ search: 'x'.repeat(101) }, 'search', 'Search with at most 100 characters.'],
  [{ search: 'a\0b' }, 'search', 'That text holds characters that cannot be searched for.'],
])('the query %j names %s: %s', (query, field, message) => {
  const issues = listQuery.safeParse(query).error?.issues
  expect(issues?.map((issue) => [issue.path.join('.'), issue.message])).toEqual([[field, message]])
})

test('the query holds numbers as text, as addresses do', () => {
  for (const pageSize of PAGE_SIZES) {
    expect(listQuery.parse({ page: '3', pageSize: `${pageSize}`, search: 'ama' })).toEqual({ page: 3, pageSize, search: 'ama' })
  }
  expect(listQuery.parse({})).toEqual({})
})
