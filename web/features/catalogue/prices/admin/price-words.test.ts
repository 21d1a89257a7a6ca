import { expect, test } from 'vitest'
import type { GridProduct, ProductDraft } from './price-draft.ts'
import { warningsOf } from './price-words.ts'

const line = { offer: '1GB', customer: 500, agent: 450, cost: 400, hidden: false }
const product = { _id: 'p', network: 'MTN', packages: [line, { ...line, offer: '2GB', cost: null }] } as unknown as GridProduct
const draftOf = (offer: string, customer: number) =>
  ({ tool: null, lines: { [offer]: { customer: { from: 500, to: customer } } } }) as unknown as ProductDraft
const texts = (offer: string, customer: number) => warningsOf(product, draftOf(offer, customer)).map(({ text }) => text)

test('before prices are published, a fall of more than a third and a price under the cost are named', () => {
  expect(texts('2GB', 60)).toContain('customers pay ¢0.60 instead of ¢5.00')
  expect(texts('1GB', 60)).toContain('customers pay ¢0.60, below its cost of ¢4.00')
  expect(texts('2GB', 450)).toEqual([])
})
