import { expect, test } from 'vitest'
import { NETWORKS, operatorOfNetwork, prefixWarning } from './networks.ts'
import { operatorOfNumber } from './phones.ts'

test.each([
  ['024', 'MTN'],
  ['025', 'MTN'],
  ['053', 'MTN'],
  ['054', 'MTN'],
  ['055', 'MTN'],
  ['059', 'MTN'],
  ['020', 'Telecel'],
  ['050', 'Telecel'],
  ['026', 'AirtelTigo'],
  ['027', 'AirtelTigo'],
  ['056', 'AirtelTigo'],
  ['057', 'AirtelTigo'],
  ['023', 'Glo'],
  ['028', null],
  ['030', null],
  ['000', null],
])('%s is a prefix of %s', (prefix, operator) => {
  expect(operatorOfNumber(`${prefix}1234567`)).toBe(operator)
})

test('products that any number can have are meant for no operator', () => {
  expect(NETWORKS.filter((network) => operatorOfNetwork(network) === null)).toEqual(['Airtime', 'WAEC Checkers'])
})

test.each([
  ['MTN', '0201234567', '020 is usually a Telecel number. Check it before you pay for MTN.'],
  ['MTN PULSE', '0271234567', '027 is usually an AirtelTigo number. Check it before you pay for MTN PULSE.'],
  ['AirtelTigo', '0231234567', '023 is usually a Glo number. Check it before you pay for AirtelTigo.'],
  ['Telecel', '0241234567', '024 is usually an MTN number. Check it before you pay for Telecel.'],
] as const)('%s for %s warns', (network, phone, warning) => {
  expect(prefixWarning(network, phone)).toBe(warning)
})

test('airtime for a network warns about a number of another one', () => {
  expect(prefixWarning('Airtime', '0201234567', 'MTN')).toBe('020 is usually a Telecel number. Check it before you pay for MTN airtime.')
  expect(prefixWarning('Airtime', '0201234567', 'Telecel')).toBeNull()
})

test.each([
  ['the same operator', 'MTN', '0241234567'],
  ['a product for any number', 'Airtime', '0241234567'],
  ['a prefix that nobody has', 'MTN', '0301234567'],
  ['a number that is not complete yet', 'MTN', '020123456'],
] as const)('%s does not warn', (_name, network, phone) => {
  expect(prefixWarning(network, phone)).toBeNull()
})
