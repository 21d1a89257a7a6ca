import { describe, expect, test } from 'vitest'
import {
  contestedOffers,
  costsOnly,
  countChanges,
  type GridProduct,
  keepMine,
  type PriceTool,
  type ProductDraft,
  pressTool,
  requestOf,
  roundAll,
  setField,
  TOOLS,
  takeChanges,
  takeList,
  takeTheirs,
  withDraft,
} from './price-draft.ts'

const [RAISE, ADD] = TOOLS as [PriceTool, PriceTool]
const NONE: ProductDraft = { tool: null, lines: {} }
const mtn: GridProduct = {
  _id: 'mtn',
  productId: '1',
  network: 'MTN',
  image: '/images/mtn.webp',
  status: 'available',
  supplier: 'hubnet',
  packages: [
    { offer: '1GB', customer: 550, agent: 470, cost: 430, hidden: false },
    { offer: '2GB', customer: 1055, agent: 930, cost: null, hidden: false },
  ],
}
const [one, two] = mtn.packages as [GridProduct['packages'][number], GridProduct['packages'][number]]

/** The catalogue after somebody else has published a price of 1GB. */
const published = (customer: number): GridProduct => ({ ...mtn, packages: [{ ...one, customer }, two] })
const pricesIn = (draft: ProductDraft) => mtn.packages.map((line) => [withDraft(line, draft).customer, withDraft(line, draft).agent])

describe('a tool', () => {
  test('changes every price from what is on sale; another takes its place, and the same one takes it back', () => {
    const raised = pressTool(NONE, mtn, RAISE)
    expect(pricesIn(raised)).toEqual([
      [580, 490],
      [1110, 980],
    ])
    const dearer = pressTool(raised, mtn, ADD)
    expect(pricesIn(dearer)).toEqual([
      [600, 520],
      [1105, 980],
    ])
    expect(pressTool(dearer, mtn, ADD)).toEqual(NONE)
  })

  test('may be for agents alone', () => {
    const raised = pressTool(NONE, mtn, { name: '+10 %, agents', adjustment: { percent: 10 }, fields: ['agent'] })
    expect(pricesIn(raised)).toEqual([
      [550, 520],
      [1055, 1020],
    ])
  })

  test('leaves alone what was typed', () => {
    const typed = setField(NONE, one, 'customer', 599)
    const raised = pressTool(typed, mtn, RAISE)
    expect(pricesIn(raised)[0]).toEqual([599, 490])
    expect(pressTool(raised, mtn, RAISE)).toEqual(typed)
  })

  test('rounds what is there, typed or not', () => {
    const rounded = roundAll(setField(NONE, one, 'customer', 577), mtn)
    expect(pricesIn(rounded)).toEqual([
      [580, 470],
      [1060, 930],
    ])
  })
})

test('a field set back to what it was is no change', () => {
  const changed = setField(setField(NONE, one, 'hidden', true), one, 'cost', null)
  expect(countChanges(changed)).toEqual({ prices: 0, costs: 1, shown: 1, all: 2 })
  expect(setField(setField(changed, one, 'hidden', false), one, 'cost', 430)).toEqual(NONE)
})

test('what is sent names old and new in cedis, and costs where the orders go', () => {
  const draft = setField(setField(setField(pressTool(NONE, mtn, RAISE), two, 'cost', 860), one, 'hidden', true), two, 'agent', 930)
  expect(requestOf(draft, mtn)).toEqual({
    changes: [
      {
        productId: 'mtn',
        offer: '1GB',
        priceCustomer: { from: 5.5, to: 5.8 },
        priceAgent: { from: 4.7, to: 4.9 },
        hidden: { from: false, to: true },
      },
      { productId: 'mtn', offer: '2GB', priceCustomer: { from: 10.55, to: 11.1 } },
    ],
    costs: [{ productId: 'mtn', offer: '2GB', supplier: 'hubnet', from: null, to: 8.6 }],
  })
  expect(countChanges(costsOnly(draft))).toEqual({ prices: 0, costs: 1, shown: 0, all: 1 })
})

describe('what somebody else has changed meanwhile', () => {
  const draft = setField(setField(NONE, one, 'customer', 580), two, 'customer', 1100)

  test('is noticed, and not when they did the same', () => {
    expect(contestedOffers(draft, published(600))).toEqual(['1GB'])
    expect(contestedOffers(draft, published(580))).toEqual([])
    expect(contestedOffers(draft, { ...mtn, packages: [one] })).toEqual(['2GB'])
  })

  test('is overwritten only on purpose', () => {
    const mine = keepMine(draft, published(600))
    expect(mine.lines['1GB']).toEqual({ customer: { from: 600, to: 580 } })
    expect(contestedOffers(mine, published(600))).toEqual([])
    expect(takeTheirs(draft, published(600))).toEqual(setField(NONE, two, 'customer', 1100))
  })
})

test('a pasted list changes only the packages and prices that it names', () => {
  const draft = takeList(
    NONE,
    mtn,
    new Map([
      ['1GB', { customer: 560, cost: 430 }],
      ['9GB', { customer: 1 }],
    ]),
  )
  expect(draft).toEqual(setField(NONE, one, 'customer', 560))
})

test('what a schedule left out is taken over from what is on sale now', () => {
  const stated = {
    productId: 'mtn',
    network: 'MTN',
    offer: '1GB',
    priceCustomer: { from: 5.5, to: 5.8 },
    hidden: { from: false, to: true },
  }
  const draft = takeChanges(NONE, published(600), [stated, { ...stated, productId: 'other' }])
  expect(draft.lines).toEqual({ '1GB': { customer: { from: 600, to: 580 }, hidden: { from: false, to: true } } })
})
