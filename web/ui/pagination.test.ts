import { describe, expect, it } from 'vitest'
import { pageNumbers } from './pagination.tsx'

describe('pageNumbers', () => {
  it.each([
    [1, 1, [1]],
    [2, 5, [1, 2, 3, 4, 5]],
    [1, 9, [1, 2, 3, null, 9]],
    [1, 6, [1, 2, 3, null, 6]],
    [5, 9, [1, null, 4, 5, 6, null, 9]],
    [3, 9, [1, 2, 3, 4, null, 9]],
    [9, 9, [1, null, 7, 8, 9]],
  ])('page %i of %i', (page, pageCount, expected) => {
    expect(pageNumbers(page, pageCount)).toEqual(expected)
  })

  it('always holds the current page, once', () => {
    for (let pageCount = 1; pageCount < 40; pageCount++) {
      for (let page = 1; page <= pageCount; page++) {
        expect(pageNumbers(page, pageCount).filter((number) => number === page)).toEqual([page])
      }
    }
  })
})
