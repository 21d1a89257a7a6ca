import { expect, test } from 'vitest'
import { offerAirtime } from './airtime.ts'

test.each([
  ['MTN GHS 5', 'MTN', 500],
  ['Telecel GHS 10', 'Telecel', 1_000],
  [' AirtelTigo  ¢1.50 ', 'AirtelTigo', 150],
  ['MTN GHS 1000', 'MTN', 100_000],
])('%s is airtime of %s for %i pesewas', (offer, operator, amountPesewas) => {
  expect(offerAirtime(offer)).toEqual({ operator, amountPesewas })
})

test.each([
  ['no operator', 'GHS 5'],
  ['no amount', 'MTN airtime'],
  ['no currency', 'MTN 5'],
  ['an amount of nothing', 'MTN GHS 0'],
  ['a tenth of a cedi', 'MTN GHS 1.5'],
  ['more than one amount', 'MTN GHS 5 + GHS 5'],
  ['a bonus', 'MTN GHS 5 (50% bonus)'],
  ['another operator', 'Glo GHS 5'],
  ['data', 'MTN 5GB'],
  ['a very large amount', 'MTN GHS 10000'],
])('an offer with %s is no airtime that a supplier could be sent', (_what, offer) => {
  expect(offerAirtime(offer)).toBeNull()
})
