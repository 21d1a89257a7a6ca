import { expect, it } from 'vitest'
import type { Receiver } from '../../../../shared/contacts.ts'
import { findReceivers, receiversFor } from './find-receivers.ts'

const known = (network: string, phoneNumber: string, name: string | null = null): Receiver => ({
  network,
  phoneNumber,
  contactId: name && `${network} ${phoneNumber}`,
  name,
  productId: null,
  offer: null,
  lastBoughtAt: null,
})
const RECEIVERS = [
  known('MTN', '0244123456'),
  known('Telecel', '0501234567', 'Router'),
  known('Airtime', '0244123456', 'Mum'),
  known('MTN', '0551110001', 'Esi Mensah'),
  known('Airtime', '0551110002'),
]
const shown = (receivers: { phoneNumber: string; name: string | null }[]) =>
  receivers.map(({ phoneNumber, name }) => `${phoneNumber} ${name ?? '-'}`)

it('a network is offered its own receivers first, then numbers of its operator, each once and by its name', () => {
  expect(shown(receiversFor('MTN', RECEIVERS))).toEqual(['0244123456 Mum', '0551110001 Esi Mensah', '0551110002 -'])
  expect(shown(receiversFor('Telecel', RECEIVERS))).toEqual(['0501234567 Router'])
})

it('any number suits airtime', () => {
  expect(shown(receiversFor('Airtime', RECEIVERS))).toEqual([
    '0244123456 Mum',
    '0551110002 -',
    '0501234567 Router',
    '0551110001 Esi Mensah',
  ])
})

it('a receiver is found by the beginning of a name before the rest of one, and by digits', () => {
  const all = [known('MTN', '0244123456', 'Amensah'), ...receiversFor('Airtime', RECEIVERS)]
  expect(shown(findReceivers('MENS', all))).toEqual(['0551110001 Esi Mensah', '0244123456 Amensah'])
  expect(shown(findReceivers('055 111', all))).toEqual(['0551110002 -', '0551110001 Esi Mensah'])
  expect(findReceivers('Kofi', all)).toEqual([])
  expect(findReceivers(' ', all)).toEqual(all)
})
