import { expect, test } from 'vitest'
import { changesOf } from './action-words.ts'

test('only differences are shown, amounts with their sign', () => {
  expect(changesOf({ before: { balance: 10, level: 'Agent' }, after: { balance: 1030.5, level: 'Agent' } })).toEqual([
    { name: 'Balance', before: '¢10.00', after: '¢1,030.50' },
  ])
})

test('a value that was added or removed has nothing on its other side', () => {
  expect(changesOf({ before: null, after: { momoPhoneNumber: '0241234567' } })).toEqual([
    { name: 'Momo phone number', before: null, after: '0241234567' },
  ])
  expect(changesOf({ before: { operatorPhone: '0241234567' }, after: { operatorPhone: null } })).toEqual([
    { name: 'Operator phone', before: '0241234567', after: null },
  ])
})

test('what applied when an order was decided anyway is described in words, not as removed', () => {
  const before = { status: 'pending', supplierStatus: 'accepted', onHold: 'the payer disputes the card payment' }
  expect(changesOf({ before, after: { status: 'rejected' } })).toEqual([
    { name: 'Status', before: 'pending', after: 'rejected' },
    { name: 'At the supplier', before: null, after: 'Taken' },
    { name: 'On hold', before: null, after: 'the payer disputes the card payment' },
  ])
  expect(changesOf({ before: { pausedAt: '2026-03-01T09:05:00.000Z' }, after: {} })).toEqual([
    { name: 'Paused at', before: null, after: '01/03/2026 09:05:00' },
  ])
})

test('times are said as everywhere else', () => {
  expect(changesOf({ before: null, after: { until: '2026-11-22T20:27:25.942Z', name: '2026-11-22' } })).toEqual([
    { name: 'Until', before: null, after: '22/11/2026 20:27:25' },
    { name: 'Name', before: null, after: '2026-11-22' },
  ])
})

test('long texts and lists are cut short', () => {
  const [change] = changesOf({ before: { noticeContent: 'x'.repeat(500) }, after: { noticeContent: '' } })
  expect(change?.before).toHaveLength(60)
  expect(changesOf({ before: { packages: [1, 2] }, after: { packages: [1, 2, 3] } })).toEqual([
    { name: 'Packages', before: '2 in all', after: '3 in all' },
  ])
})

test('who credited without a second person is said in words', () => {
  expect(changesOf({ before: null, after: { amount: 75, alone: true } })).toEqual([
    { name: 'Amount', before: null, after: '¢75.00' },
    { name: 'Without a second person', before: null, after: 'yes' },
  ])
})

test('settings are listed one by one, networks by their names', () => {
  const before = { routes: { MTN: 'by-hand', AirtelTigo: 'hubnet' }, buyerSms: false, smsDailyCap: 500 }
  expect(changesOf({ before, after: { ...before, routes: { ...before.routes, MTN: 'hubnet' }, buyerSms: true } })).toEqual([
    { name: 'MTN', before: 'By hand', after: 'Hubnet' },
    { name: 'Buyer sms', before: 'off', after: 'on' },
  ])
})
