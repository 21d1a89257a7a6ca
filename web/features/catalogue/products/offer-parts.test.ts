import { expect, it } from 'vitest'
import { offerParts, operatorsOf } from './offer-parts.ts'

it.each([
  ['MTN', '5GB (30 days)', '5GB', '30 days'],
  ['Telecel', '5GB - 60 days', '5GB', '60 days'],
  ['MTN', '1GB non-expiry', '1GB', 'No expiry'],
  ['MTN', '1.5GB', '1.5GB', undefined],
  ['MTN', '30 days', '30 days', undefined],
  ['MTN PULSE', 'MashUp GHS 5', 'MashUp GHS 5', undefined],
  ['Airtime', 'Telecel GHS 5', 'GHS 5', 'Telecel'],
  ['Airtime', 'GHS 5', 'GHS 5', undefined],
  ['MTN', 'MTN 5GB', 'MTN 5GB', undefined],
])('%s %s is shown as %s with %s beneath it', (network, offer, name, note) => {
  expect(offerParts(network, offer)).toMatchObject({ name, note })
})

it('airtime asks for the network where every offer names one', () => {
  const airtime = (...offers: string[]) => operatorsOf({ network: 'Airtime', packages: offers.map((offer) => ({ offer })) })
  expect(airtime('MTN GHS 1', 'MTN GHS 5', 'Telecel GHS 1')).toEqual(['MTN', 'Telecel'])
  expect(airtime('MTN GHS 1', 'GHS 5')).toEqual([])
})
