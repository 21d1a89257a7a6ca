import { expect, test } from 'vitest'
import { parseMessage } from '../../messages/message-formats/parse-message.ts'
import { splitMessages } from './split-messages.ts'

const mtn = (id: string, amount = '36.00', reference = 'Rent') =>
  `Payment received for GHS ${amount} from KWESI APPIAH Current Balance: GHS 900.00 . Available Balance: GHS 900.00. Reference: ${reference}. Transaction ID: ${id}. TRANSACTION FEE: 0.00`
const telecel = (id: string) =>
  `${id} Confirmed. You have received GHS45.00 from 233209876543 - KOJO ANSAH BEKOE on 2026-01-07 at 11:02:51. Your Telecel Cash balance is GHS135.25.\nReference: 1.\nStay alert. Never share your PIN.`
const out =
  'Cash Out made for GHS40.00 to ADOM ELECTRICALS . Current Balance: GHS22.10 Financial Transaction Id: 10493827561. Fee charged: GHS0.40.'
const fake =
  'Cash In  for\nGHS150.00 from\nAKOSUA MANSA Current Balance 640.35\nAvaliable balan 640.35\nTransaction\nID: 00581234567:\ndepos(.....)'
const ALL = [mtn('51234567890'), telecel('0000019305566778'), out, fake, mtn('51234567891')]

const outcomes = (pasted: string) =>
  splitMessages(pasted)
    .map((message) => parseMessage(message))
    .map((message) => `${message.kind} ${message.transactionId}`)
const FIVE = [
  'credit 51234567890',
  'credit 19305566778',
  'money-out 10493827561',
  'fake 00581234567'.replace(' 00', ' '),
  'credit 51234567891',
]

test.each<[string, string]>([
  ['blank lines between them', ALL.join('\n\n')],
  ['no blank lines', ALL.join('\n')],
  ['line ends of Windows', ALL.join('\r\n\r\n').replaceAll('\n', '\r\n').replaceAll('\r\r', '\r')],
  ['an export of WhatsApp from an iPhone', ALL.map((text, n) => `\u200e[22/11/2026, 14:0${n}:11] Ama Helper: ${text}`).join('\n')],
  ['an export of WhatsApp from Android', ALL.map((text, n) => `22/11/2026, 14:0${n} - +233 55 100 4417: ${text}`).join('\n')],
  ['senders above them', ALL.map((text, n) => `From: ${n === 1 ? 'T-CASH' : 'MobileMoney'}\n${text}`).join('\n')],
])('messages with %s', (_how, pasted) => {
  expect(outcomes(pasted)).toEqual(FIVE)
})

test('a message in unknown words on the next line is one of its own', () => {
  const unknown = 'Good news: GHS 75.00 was moved to your wallet. Transaction ID: 71234567890.'
  expect(outcomes([mtn('51234567890'), unknown, mtn('51234567891')].join('\n'))).toEqual([
    'credit 51234567890',
    'credit 71234567890',
    'credit 51234567891',
  ])
  const [start, end] = mtn('51234567892').split(' Reference')
  expect(outcomes(`${start}\nReference${end}`)).toEqual(['credit 51234567892'])
})

test('messages pasted as one line', () => {
  expect(outcomes([mtn('51234567890'), mtn('51234567891'), mtn('51234567892')].join(' '))).toEqual([
    'credit 51234567890',
    'credit 51234567891',
    'credit 51234567892',
  ])
})

test('what shares a line is never sure: a payer may word a reference like the end of one message and the start of another', () => {
  const crafted = 'x ID 1111111111 Payment received for GHS 5000.00 from AMA SAMPLE. Reference: 12345678'
  for (const pasted of [mtn('51234567890', '1.00', crafted), [mtn('51234567890'), mtn('51234567891')].join(' ')]) {
    const read = splitMessages(pasted).map((message) => parseMessage(message))
    expect(read.length).toBe(2)
    for (const message of read) expect(message).toMatchObject({ doubts: expect.arrayContaining(['shared-line']) })
  }
})

test('a reference that looks like a backup of messages is a reference', () => {
  const crafted =
    '<sms body="Payment received for GHS 5000.00 from AMA SAMPLE. Reference: 12345678. Transaction ID: 33333333333." type="1"/>'
  const [first, second, ...others] = splitMessages([mtn('51234567890', '1.00', crafted), mtn('51234567891')].join('\n')).map((message) =>
    parseMessage(message),
  )
  expect(first).toMatchObject({ transactionId: '51234567890', amountPesewas: 100, doubts: ['several-ids'] })
  expect([second?.transactionId, others]).toEqual(['51234567891', []])
})

test('a blank line within a message does not tear off its reference', () => {
  const [message, ...others] = splitMessages(telecel('0000019305566778').replace('\nReference', '\n\nReference'))
  expect([others, parseMessage(message!)]).toMatchObject([[], { reference: '1' }])
})

test('what a payer types as the reference is never a message of its own', () => {
  const typed = `x Payment received for GHS 500.00 from EVE Current Balance: GHS 501.00 . Available Balance: GHS 501.00. Reference: 96397268. Transaction ID: 83724298138`
  const messages = splitMessages(mtn('51234567890', '1.00', typed)).map((message) => parseMessage(message))
  expect(messages).toMatchObject([{ amountPesewas: 100, transactionId: '51234567890', doubts: ['several-ids'] }])
  const second = `${telecel('0000019305566778')
    .split('\nStay')[0]!
    .replace('Reference: 1.', `Reference: ${telecel('0000019305566779').split('\n')[0]}`)}`
  expect(splitMessages(second).map((message) => parseMessage(message))).toMatchObject([{ transactionId: '19305566778' }])
})

test('a WhatsApp export says when, and not who sent the money', () => {
  const [first] = splitMessages(`[22/11/2026, 2:05 pm] 0551004417: ${mtn('51234567890')}`)
  expect(first).toMatchObject({ sender: null, at: new Date('2026-11-22T14:05:00Z') })
})

test.each([
  ['11/27/26, 2:05 PM', '11/5/26, 9:00 AM', '2026-11-05T09:00:00Z'],
  ['27/11/26, 14:05', '11/5/26, 09:00', '2026-05-11T09:00:00Z'],
])('a phone that writes %s writes %s in the same order', (sure, either, at) => {
  const lines = [sure, either].map((time, index) => `${time} - Ama: ${mtn(`5123456789${index}`)}`)
  for (const pasted of [lines, lines.toReversed()]) {
    const ambiguous = splitMessages(pasted.join('\n')).find(({ text }) => text.includes('51234567891'))
    expect(ambiguous?.at).toEqual(new Date(at))
  }
})

test('a backup of SMS says from whom and when', () => {
  const xml = `<?xml version='1.0'?><smses count="3">
    <sms protocol="0" address="MobileMoney" date="1795356300000" type="1" body="${mtn('51234567890')}" />
    <sms protocol="0" address="+233551004417" date="1795356300000" type="1" body="${mtn('51234567891').replace('Rent', 'Tom &amp; Co&#10;2')}" />
    <sms protocol="0" address="0241234567" date="1795356300000" type="2" body="I have paid GHS 5" />
  </smses>`
  expect(splitMessages(xml)).toMatchObject([
    { sender: 'MobileMoney', at: new Date('2026-11-22T14:05:00Z') },
    { sender: '+233551004417', text: expect.stringContaining('Tom & Co\n2') },
  ])
  const lines = [
    { address: 'T-CASH', date: '1795356300000', body: telecel('0000019305566778') },
    { address: '024', type: '2', body: 'mine' },
  ]
  expect(outcomes(lines.map((line) => JSON.stringify(line)).join('\n'))).toEqual(['credit 19305566778', 'other null'])
})

test('nothing pasted is no message', () => {
  expect(splitMessages(' \n\n ')).toEqual([])
})
