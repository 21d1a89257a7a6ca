import { describe, expect, test } from 'vitest'
import { parseMessage } from '../server/features/message-formats/parse-message.ts'
import { splitMessages } from '../server/features/received-payments/split-messages.ts'
import type { BatchRow } from '../shared/batches.ts'
import { type BulkShelf, checkLines } from '../shared/bulk-lines.ts'
import { formatPesewas } from '../shared/money.ts'
import { CHECKER_WORDS, STATEMENT_WORDS } from '../shared/readers/heading-words.ts'
import { readAmount } from '../shared/readers/read-amount.ts'
import { checkerColumns, readCheckerRows, readCheckerText } from '../shared/readers/read-checkers.ts'
import { readDate } from '../shared/readers/read-date.ts'
import { readPhone } from '../shared/readers/read-phone.ts'
import { readStatement } from '../shared/readers/read-statement.ts'
import { readTable } from '../shared/readers/read-table.ts'
import type { Reading } from '../shared/readers/reading.ts'
import { readText } from '../shared/readers/sheets.ts'
import { matchResults } from '../web/features/batches/admin/match-results.ts'
import { readPriceList } from '../web/features/prices/admin/read-price-list.ts'

/** What people write, written down without a look at how it is read, and what it ends as; `ask` where a person has to be asked. */
type Cases = readonly (readonly [text: string, ends: string])[]
const asked = (...texts: string[]): Cases => texts.map((text) => [text, 'ask'])

const MTN = 'Current Balance: GHS 36.00. Reference: 1. Transaction ID: 51234567890. TRANSACTION FEE: 0.00'

/** Amounts as people type them into a field. */
const AMOUNTS: Cases = [
  ['GHS50.00', '¢50.00'],
  ['¢20.5', '¢20.50'],
  ['1.000,00', '¢1,000.00'],
  ['2,5', '¢2.50'],
  ['20 cedis 50 pesewas', '¢20.50'],
  ['₵100', '¢100.00'],
  ['１００', '¢100.00'],
  ['0,50', '¢0.50'],
  ["1'000.00", '¢1,000.00'],
  ['1 000,00', '¢1,000.00'],
  ['100 GHS', '¢100.00'],
  ['Ghc 15.50', '¢15.50'],
  ['50cedi', '¢50.00'],
  ...asked(
    '100.',
    '50 cedis only',
    '20/=',
    '5O',
    'l00',
    '1k',
    '100 + 5',
    '10..50',
    '10. 50',
    '50 50',
    '20 cedis 5',
    '٥٠',
    '50p',
    '200-',
    '10,00,000',
    '12,345.678',
    '1,2345',
    '20-30',
    '20 or 30',
    'abt 50',
    '$50',
    '100%',
    '2 thousand',
    '10 000',
    '5.5.5',
    '1,234,56',
    '50 x 2',
    '2x50',
    '50*2',
    '1,500',
    '(50)',
    '50.00.',
    'GHS 50 / 60',
    '1.5m',
    '50=',
    '~50',
    '50,5,5',
    '50 .5',
  ),
]

/** Lines of agents’ lists; all are for 0244123456. */
const LIST_LINES: Cases = [
  ['0244123456 - 5', '5GB'],
  ['5gb for 0244123456', '5GB'],
  ['024 412 3456 10', '10GB'],
  ['0244123456 1000mb', '1GB'],
  ['MTN-5GB-0244123456', '5GB'],
  ['0244123456 5GB (mtn)', '5GB'],
  ['0244123456 - 5 gigs for my sister', '5GB'],
  ['Good morning 0244123456 5gb please', '5GB'],
  ['0244123456 5,5gb', '5.5GB'],
  ['0244123456 05gb', '5GB'],
  ['0244123456 -5gb', '5GB'],
  ...asked(
    '0244123456 five gb',
    '0244123456 1TB',
    '0244123456 500',
    '3x2gb 0244123456',
    '0244123456 2+1gb',
    '0244123456 5gb paid 20',
    '0244123456 same as before',
    '0244123456 5GB/0244123457',
    '5gb each: 0244123456',
    '0244123456 10 10',
    '0244123456 1o gb',
    '0244123456 lgb',
    '02441234565gb',
    '0244123456.5gb',
    'Ama 0244123456 5gb 2',
    '0244123456 5gb no 2',
    '0244123456-10-5',
    '27/11 0244123456 5gb',
    '0244123456 5gb by 5pm',
    'house no 5 0244123456 2gb',
    '2 bundles of 5gb 0244123456',
    '0244123456 6gb instead of 5gb',
    '0244123456 5gb (last one failed)',
    'sorry 0244123456 should be 5gb',
    '0244123456 5gb + airtime 10',
    '0244123456 1GB X 3',
    '0244123456 5gb no longer needed',
    '0244123456 5gb sold out',
    'send back 0244123456 5gb',
    '0244123456 5gb he didnt get it',
    'Who sent 0244123456 5gb',
    '0244123456 bought 5gb from MTN',
    '0244123456 upgrade 5gb to 10gb',
    '0244123456 has 5gb left',
    'no data for 0244123456 5gb',
    'I got it 0244123456 5gb',
    'reverse 0244123456 5gb',
    '0244123456 5gb void',
    '0244123456 5gb test',
    '0244123456 5gb next week',
    '0244123456 5gb on credit',
    'complaint 0244123456 5gb',
    '0244123456 5gb x',
    '0244123456 5gb 0244123456 5gb',
    '0244123456 5gb again',
    'repeat 0244123456 5gb',
    '0244123456 5gb another',
    '0244123456 5gb didn’t come',
    '0244123456 5gb unsuccessful',
    'edit: 0244123456 5gb',
    '0244123456 5gb for example',
    'use 0244123456 not 0551234567 5gb',
    '0244123456 NOT 5gb but 10gb',
    '0244123456 5gb 👎',
    '0244123456 5gb 🚫',
    '0244123456 5gb ✔️',
    '0244123456 5.gb',
    '0244123456 5 000mb',
    '0244123456 5GB~6GB',
    '0244123456 ≥5gb',
    '0244123456 5gb/month',
    '0244123456 5gb for 3 people',
    '0244123456 5gb 3 ppl',
    '0244123456 5gb thrice',
    '0244123456 5gb a couple',
    '0244123456 5GBx2',
    '0244123456 2*5',
    '0244123456 5gb ×2',
    '0244123456 5gb II',
  ),
]

/** What portals and agents write of an order of 5GB for 0244123456. */
const RESULTS: Cases = [
  ['0244123456 5GB Delivered', 'delivered'],
  ['0244123456 sent ✅', 'delivered'],
  ['0244123456 delivery failed', 'failed'],
  ['0244123456 5GB in-progress', 'open'],
  ...asked(
    '0244123456 - not sent',
    '0244123456 5GB failed then resent successfully',
    '0244123456 will be delivered soon',
    '0244123456 completed with errors',
    '0244123456 partially delivered',
    '0244123456 5GB Delivered 3GB',
    '0244123456 success rate 0%',
    '0244123456 duplicate, already delivered',
    '0244123456 queued → delivered',
    '0244123456 1GB delivered',
    '0244123456 5GB nope',
    '0244123456 5GB delivered ❌',
    '0244123456 5GB delivered 👎',
    '0244123456 5GB Delivered 0',
    '0244123456 5GB sent to wrong number',
    '0244123456 5GB OK?',
    '0244123456 5GB done by you?',
    '0244123456 5GB 0 delivered',
    '0244123456 5GB delivered / refunded',
    '0244123456 5GB status: pending delivered',
    '0244123456 5GB Delivered ✗',
    '0244123456 5GB failed (0 delivered)',
    '0244123456 5GB Delivered?Yes',
    '0244123456 5GB never delivered',
    '0244123456 5GB delivered tomorrow',
    '0244123456 5GB n/a',
    '0244123456 5GB Delivered 0/1',
    '0244123456 5GB Delivered: 0',
    '0244123456 5GB Delivered 0%',
    '0244123456 5GB Success=0',
    '0244123456 5GB 0% completed',
    '0244123456 5GB success (0)',
    '0244123456 5GB 50% completed',
  ),
]

/** Phone numbers. */
const PHONES: Cases = [
  ['0244 123 456', '0244123456'],
  ['+233(0)244123456', '0244123456'],
  ['24 412 3456', '0244123456'],
  ['00233 244 123 456', '0244123456'],
  ['+2330244123456', '0244123456'],
  ...asked(
    '0244123456/0551234567',
    '024412345',
    '0244-123-456 (mum)',
    '0244123456 whatsapp',
    '+44 7700 900123',
    '0244123456x2',
    '0244 123 4567',
    '0244123456,',
    'O244123456',
    '0302123456',
  ),
]

/** Days and times. */
const DATES: Cases = [
  ['27.11.26', '2026-11-27T00:00'],
  ['Nov 27, 2026 4:05 PM', '2026-11-27T16:05'],
  ['27/11/2026 12:05 AM', '2026-11-27T00:05'],
  ['27/11/2026 16:30:05', '2026-11-27T16:30'],
  ...asked(
    '27th Nov',
    '2026/11/27 4pm',
    '1/2/2026',
    '27-11-2026 24:00',
    '30 Feb 2026',
    'today',
    '2026-27-11',
    '20261127',
    '45988',
    '27/13/2026',
  ),
]

/** Rows of a statement with the columns Trans ID, Date, Amount, Dr/Cr and Status. */
const STATEMENT_ROWS: Cases = [
  ['80000000001,27/11/2026 10:00,50.00,CR,Success', 'in ¢50.00'],
  ['80000000001,27/11/2026 10:00,"1,500.00",CR,Completed', 'in ¢1,500.00'],
  ['80000000001,27/11/2026 10:00,50.00,DR,Success', 'out ¢50.00'],
  ['80000000001,27/11/2026 10:00,50.00,CR,UNSUCCESSFUL', 'failed ¢50.00'],
  ...asked(
    '80000000001,27/11/2026 10:00,50.00,CR,Completed - Reversed',
    '80000000001,27/11/2026 10:00,50.00,CR,Successful (reversed)',
    '80000000001,27/11/2026 10:00,50.00-,CR,Success',
    '80000000001,27/11/2026 10:00,"1,500",CR,Success',
    '80000000001,27/11/2026 10:00,50.00,C/R,Success',
    '80000000001,27/11/2026 10:00,50.00,,Success',
    '80000000001,27/11/2026 10:00,50.00,CR,Not Success',
    '80000000001,27/11/2026 10:00,USD 50.00,CR,Success',
    '80000000001,27/11/2026 10:00,50.00 x,CR,Success',
    '80000000001,27/11/2026 10:00,5O.00,CR,Success',
    '8.37243E+10,27/11/2026 10:00,50.00,CR,Success',
    '80000000001,27/11/2026 10:00,50.00,CR,Partially completed',
    '80000000001,27/11/2026 10:00,50.00,CR,0',
    '80000000001,27/11/2026 10:00,50.00,CR,No',
    '80000000001,03/04/2026 10:00,50.00,CR,Success',
    '80000000001,27/11/2026 10:00,50.00,CR,FALSE',
    '80000000001,27/11/2026 10:00,50.00,CR/DR,Success',
    '80000000001,27/11/2026 10:00,-50.00,CR,Success',
    '80000000001,27/11/2026 10:00,50,50,CR,Success',
    '80000000001,27/11/2026 10:00,,CR,Success',
  ),
]

/** Result checkers as distributors send them. */
const CHECKERS: Cases = [
  ['SN: WGR2600001, PIN 123456789012', 'WGR2600001 123456789012'],
  ['Serial WGR2600001\nPin 1234-5678-9012', 'WGR2600001 1234-5678-9012'],
  ['1. WGR2600001 123456789012', 'WGR2600001 123456789012'],
  ['S/N:WGR2600001|PIN:123456789012', 'WGR2600001 123456789012'],
  ['Pin=123456789012;Serial=WGR2600001', 'WGR2600001 123456789012'],
  ['123456789012 WGR2600001', 'WGR2600001 123456789012'],
  ['Card 1\nSerial No: WGR2600001\nPIN No: 123456789012', 'WGR2600001 123456789012'],
  ...asked(
    'WGR2600001 - 123456789012',
    'WGR2600001/123456789012',
    'PIN:123456789012 Serial:WGR2600001 (used)',
    'Serial: WGR2600001 PIN: 123456789012 PIN: 999999999999',
    'Serial: WGR2600001 PIN: 123456789012 USED',
    'Serial: WGR2600001\nWGR2600002\nPIN: 123456789012',
    'PIN 123456789012\n\nSerial WGR2600001\nPIN 223456789012',
    'WGR2600001 123456789012 sold',
    'WGR2600001,1.23457E+11',
    'Serial: WGR2600001 PIN: 12345678901O',
    'Serial: WGR2600001 PIN: 123456789012 / 223456789012',
  ),
]

/** Messages of networks, and what people make of them. */
const MESSAGES: Cases = [
  [`Payment received for GHS 36.00 from AMA SAMPLE ${MTN}`, 'credit ¢36.00'],
  [`Payment received for GHS 36,50 from AMA SAMPLE ${MTN}`, 'no:other'],
  ['Your payment of GHS 50.00 to DWADI has been completed at 2026-11-27 10:00:00. Transaction Id: 51234567890', 'no:money-out'],
  ['Payment made for GHS 50.00 to DWADI. Current Balance: GHS 5.00. Transaction ID: 51234567890. Fee charged: GHS0.50', 'no:money-out'],
  ['You have received GHS 50 from AMA', 'no:other'],
  ['A request of GHS 20.00 from KOFI is awaiting your approval. Transaction ID: 51234567890', 'no:other'],
  ['KOFI has requested GHS 50.00 from you. Transaction ID: 51234567890', 'no:other'],
  ['Payment for GHS 50.00 to KOFI failed. Transaction ID: 51234567890', 'no:failed'],
  ['You will receive GHS 50.00 from KOFI. Transaction ID: 51234567890', 'no:other'],
  ['GHS 50.00 was deducted from your wallet. Transaction ID: 51234567890', 'no:money-out'],
  ['You have been debited GHS 50.00 by ECG. Transaction ID: 51234567890', 'no:money-out'],
  ['Cash Out made for GHS40.00 to ADOM. Current Balance: GHS22.10 Financial Transaction Id: 10493827561.', 'no:money-out'],
  [`Payment received for GHS 36 from AMA SAMPLE ${MTN}`, 'credit ¢36.00'],
  [`Payment received for GHS 36.00 from AMA SAMPLE ${MTN}\nPayment received for GHS 5.00 from KOFI`, 'credit ¢36.00 + no:other'],
  ...asked(
    `Payment received for GHS 1,036.00 from AMA SAMPLE ${MTN}`,
    `Payment received for GHS 1.000,00 from AMA SAMPLE ${MTN}`,
    `pls check: Payment received for GHS 36.00 from AMA SAMPLE ${MTN}`,
    `I sent it. Payment received for GHS 36.00 from AMA SAMPLE ${MTN}`,
    `Payment received for GHS 36.00 from AMA SAMPLE ${MTN} has been reversed`,
    `Payment NOT received for GHS 36.00 from AMA SAMPLE ${MTN}`,
    'Payment received for GHS 36.00 from AMA SAMPLE Current Balance: GHS 36.00. Reference: 1. Transaction ID: 5123456789O. TRANSACTION FEE: 0.00',
    `Payment received for USD 36.00 from AMA SAMPLE ${MTN}`,
    'You have won GHS 5,000.00 from MTN. Transaction ID: 51234567890',
    'An amount of GHS 50.00 was sent to you in error by KOFI. Transaction ID: 51234567890',
    `Payment received for GHS 36.0.0 from AMA SAMPLE ${MTN}`,
    `Payment received for GHS 36.00 or GHS 63.00 from AMA SAMPLE ${MTN}`,
  ),
]

/** Lines of a price list. */
const PRICES: Cases = [
  ['1GB 5.50', '1GB ¢5.50'],
  ['1GB - 5,50', '1GB ¢5.50'],
  ['1GB = GHS 5.50', '1GB ¢5.50'],
  ['1GB @ 5', '1GB ¢5.00'],
  ['1GB 5.50 each', '1GB ¢5.50'],
  ['1,5GB 7', '1.5GB ¢7.00'],
  ...asked(
    '1GB 5.5-6',
    '1GB N/A',
    '1GB 5.50 out of stock',
    '1GB 1,500',
    '1GB from 5.50',
    '1GB 5O',
    '2GB 10 % off',
    '1GB 550p',
    '1GB 5.50 (was 6)',
  ),
]

const OFFERS = [500, 1000, 1500, 2000, 2500, 5000, 5500, 6000, 10_000, 20_000, 30_000].map((volumeMb) => ({
  productId: 'p',
  offer: volumeMb < 1000 ? `${volumeMb}MB` : `${volumeMb / 1000}GB`,
  volumeMb,
  cedis: volumeMb / 200,
}))
const SHELF: BulkShelf = { MTN: OFFERS, Telecel: OFFERS, AirtelTigo: OFFERS }
const ORDER = { status: 'locked', order: { _id: 'o', receiver: '0244123456', offer: '5GB' } } as unknown as BatchRow

const cedis = (pesewas: number | null) => `¢${formatPesewas(pesewas ?? -1)}`

function endOf<T>(reading: Reading<T>, write: (value: T) => string): string {
  return reading.kind === 'read' ? write(reading.value) : 'ask'
}

function listEnd(text: string): string {
  const ends = checkLines(text, SHELF).map(({ state, item }) => {
    if (state !== 'ready') return state === 'skipped' ? 'left out' : 'ask'
    return item?.receiver === '0244123456' ? item.offer : `${item?.receiver} ${item?.offer}`
  })
  return ends.join(' + ')
}

function resultEnd(text: string): string {
  const { outcomes, unknown, strange, silent } = matchResults(text, [ORDER])
  return outcomes.get('o')?.what ?? (unknown.length + strange.length > 0 ? 'ask' : silent > 0 ? 'silent' : 'open')
}

function statementEnd(row: string): string {
  const table = readTable([readText('statement', `Trans ID,Date,Amount,Dr/Cr,Status\n${row}`)], STATEMENT_WORDS)
  const [line] = readStatement(table).lines
  return !line || line.kind === 'doubtful' || line.reasons.length > 0 ? 'ask' : `${line.kind} ${cedis(line.amountPesewas)}`
}

function checkersEnd(text: string): string {
  const source = readCheckerText('checkers', text)
  const table = readTable(source.sheets ?? [], CHECKER_WORDS)
  const { columns, isSure } = checkerColumns(table)
  const { serial, pin } = columns
  if (!source.lines && (!isSure || serial === undefined || pin === undefined)) return 'ask'
  const lines = source.lines ?? readCheckerRows(table, { serial: serial as number, pin: pin as number })
  return [...new Set(lines.map((line) => (line.problem === null ? `${line.serial} ${line.pin}` : 'ask')))].join(' + ')
}

function messageEnd(text: string): string {
  const ends = splitMessages(text).map((message) => {
    const read = parseMessage(message)
    return read.kind !== 'credit' ? `no:${read.kind}` : read.doubts.length > 0 ? 'ask' : `credit ${cedis(read.amountPesewas)}`
  })
  return ends.join(' + ')
}

function priceEnd(text: string): string {
  const lines = readPriceList(text, 'MTN', ['1GB', '1.5GB', '2GB'])
  return lines
    .map(({ offer, prices = [] }) => (offer ? `${offer} ${prices.map(({ pesewas }) => cedis(pesewas)).join(' or ')}` : 'ask'))
    .join(' + ')
}

describe.each<[string, Cases, (text: string) => string]>([
  ['an amount', AMOUNTS, (text) => endOf(readAmount(text), cedis)],
  ['a line of a list', LIST_LINES, listEnd],
  ['a result of a batch', RESULTS, resultEnd],
  ['a phone number', PHONES, (text) => endOf(readPhone(text), String)],
  ['a time', DATES, (text) => endOf(readDate(text), ({ at }) => at.toISOString().slice(0, 16))],
  ['a row of a statement', STATEMENT_ROWS, statementEnd],
  ['a checker', CHECKERS, checkersEnd],
  ['a message', MESSAGES, messageEnd],
  ['a price', PRICES, priceEnd],
])('%s is what it says, or asked about', (_what, cases, read) => {
  test.each(cases)('%j: %s', (text, ends) => {
    expect(read(text)).toBe(ends)
  })
})
