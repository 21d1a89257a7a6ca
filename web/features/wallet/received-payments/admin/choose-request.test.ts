import { expect, test } from 'vitest'
import { chooseRequest } from './choose-request.ts'

test.each([
  ['no request', [], ''],
  ['one of another amount', [230], null],
  ['one of the same amount', [77], 'a77'],
  ['one of the same amount beside another', [230, 77], 'b77'],
  ['two of the same amount', [77, 77], null],
])('with %s, a payment of 77.00 is for %s', (_what, amounts, chosen) => {
  expect(
    chooseRequest(
      amounts.map((amount, index) => ({ _id: `${'ab'[index]}${amount}`, amount })),
      77,
    ),
  ).toBe(chosen)
})
