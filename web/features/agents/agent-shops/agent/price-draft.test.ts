import { describe, expect, test } from 'vitest'
import type { OwnShopOffer } from '../../../../../shared/agent-shops.ts'
import { keyOf, movePrices, readLine, toPriceRequest } from './price-draft.ts'

const offer: OwnShopOffer = {
  productId: 'a',
  network: 'MTN',
  image: '',
  offer: '3GB',
  cost: 13.9,
  lowest: 14,
  highest: 16.5,
  housePrice: 15.5,
  price: 15,
  own: true,
  state: 'on-sale',
  soldThisWeek: 0,
}
const asHouse: OwnShopOffer = { ...offer, offer: '4GB', own: false, price: 15.5 }

describe('a price as typed', () => {
  test.each([
    ['13.50', 'Below your cost of ¢13.90. Lowest is ¢14.00.', -40],
    ['13.95', 'Too close to your cost. Lowest is ¢14.00.', 5],
    ['14', null, 10],
    ['16.50', null, 260],
    ['16.51', 'Highest is ¢16.50.', 261],
    ['', 'Enter a price in cedis.', null],
  ])('%s', (text, problem, keep) => {
    expect(readLine(offer, { [keyOf(offer)]: { text, hidden: false } })).toMatchObject({ problem, keep, changed: true })
  })

  test('is no change where it says the same amount', () => {
    expect(readLine(offer, { [keyOf(offer)]: { text: '15', hidden: false } }).changed).toBe(false)
    expect(readLine(asHouse, {}).changed).toBe(false)
    expect(readLine(asHouse, { [keyOf(asHouse)]: { text: '15.50', hidden: false } }).changed).toBe(true)
  })

  test('stops nobody while the package is not sold', () => {
    expect(readLine(offer, { [keyOf(offer)]: { text: '1', hidden: true } }).problem).toBeNull()
  })
})

describe('all prices at once', () => {
  test('go up by an amount and stop at their highest', () => {
    const { draft, atHighest } = movePrices([offer, asHouse], {}, { pesewas: 150 })
    expect(draft).toEqual({ 'a 3GB': { text: '16.50', hidden: false }, 'a 4GB': { text: '16.50', hidden: false } })
    expect(atHighest).toBe(1)
  })

  test('go up by percent to the nearest ten pesewas', () => {
    expect(movePrices([offer], {}, { percent: 5 }).draft['a 3GB']?.text).toBe('15.80')
  })

  test('mend a price below the cost, and keep what is hidden hidden', () => {
    const { draft } = movePrices([offer], { 'a 3GB': { text: '2', hidden: true } }, { pesewas: 50 })
    expect(draft['a 3GB']).toEqual({ text: '14.00', hidden: true })
  })

  test('go back to the house’s, which is sent as none of their own', () => {
    const { draft } = movePrices([offer, asHouse], {}, 'house')
    const lines = [offer, asHouse].map((one) => readLine(one, draft)).filter(({ changed }) => changed)
    expect(toPriceRequest(lines)).toEqual([{ productId: 'a', offer: '3GB', price: null, hidden: false }])
  })
})
