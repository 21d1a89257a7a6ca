import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readMessages } from '../server/features/wallet/received-payments/read-messages.ts'
import { toOwnLines } from '../shared/bulk-line.ts'
import { type BulkShelf, checkLines } from '../shared/bulk-lines.ts'
import { formatPesewas } from '../shared/money.ts'
import type { Order } from '../shared/orders.ts'
import { CHECKER_WORDS, LIST_WORDS, STATEMENT_WORDS } from '../shared/readers/heading-words.ts'
import { readAmount } from '../shared/readers/read-amount.ts'
import { checkerColumns, readCheckers, readCheckerText } from '../shared/readers/read-checkers.ts'
import { isUnlikelyTime, readDate } from '../shared/readers/read-date.ts'
import { toListRows } from '../shared/readers/read-list.ts'
import { readStatement } from '../shared/readers/read-statement.ts'
import { readTable } from '../shared/readers/read-table.ts'
import { type Reading, valueIn } from '../shared/readers/reading.ts'
import { readText } from '../shared/readers/sheets.ts'
import { readPriceList } from '../web/features/catalogue/prices/admin/read-price-list.ts'
import { matchResults } from '../web/features/delivery/batches/admin/match-results.ts'

/** What somebody wrote who had not seen the code, and all that is read of it without a question. Everything else in it is asked about or left out. */
type Door = 'statement' | 'result' | 'checkers' | 'message' | 'list' | 'list file' | 'amount' | 'time' | 'price list'
type Written = { id: string; door: Door; text: string; sure: string[] }
const WRITTEN: Written[] = JSON.parse(readFileSync(new URL('fixtures/blind-inputs.json', import.meta.url), 'utf8'))
const TODAY = new Date('2026-11-28T12:00:00Z')

const BATCH = Object.entries({
  ...{ '1': '0247770001 1GB', '2': '0247770002 2GB', '3': '0247770003 5GB', '4': '0557770004 1GB', '5': '0557770005 10GB' },
  ...{ '6': '0547770006 5GB', '7': '0247770007 1GB', '8': '0247770007 5GB', '9': '0247770008 2GB', '10': '0247770008 2GB' },
}).map(([number, written]) => {
  const [receiver, offer] = written.split(' ')
  const order = { _id: number, receiver, offer, network: 'MTN', createdAt: TODAY.toISOString() } as unknown as Order
  return { status: 'locked' as const, order }
})

const OFFERS = [1, 2, 3, 5, 10, 15, 20].map((gigs) => ({ productId: 'p', offer: `${gigs}GB`, volumeMb: gigs * 1000, cedis: gigs * 5 }))
const SHELF: BulkShelf = { MTN: OFFERS, Telecel: OFFERS, AirtelTigo: OFFERS }

function bought(text: string): string[] {
  return checkLines(text, SHELF).flatMap(({ state, receiver, offer }) => (state === 'ready' ? [`${receiver} ${offer}`] : []))
}

function ifRead<T>(reading: Reading<T>, write: (value: T) => string): string[] {
  const value = valueIn(reading)
  return value === null ? [] : [write(value)]
}

/** What each door takes without asking. */
const DOORS: Record<Written['door'], (text: string) => string[]> = {
  statement: (text) => {
    const table = readTable([readText('statement', text)], STATEMENT_WORDS)
    if (table.contested.includes('amount')) return []
    const sure = readStatement(table, {}, TODAY).lines.filter(({ kind, reasons }) => kind === 'in' && reasons.length === 0)
    return [...new Set(sure.map(({ transactionId, amountPesewas }) => `${transactionId} ¢${formatPesewas(amountPesewas ?? 0)}`))]
  },
  result: (text) => {
    const { outcomes } = matchResults(text, BATCH, { silentIsDelivered: true })
    return [...outcomes].map(([number, { what }]) => `${number} ${what}`)
  },
  checkers: (text) => {
    const source = readCheckerText('checkers', text)
    const table = readTable(source.sheets ?? [], CHECKER_WORDS)
    const { columns, isSure } = checkerColumns(table)
    if (!source.lines && !isSure) return []
    const { lines } = readCheckers(source, { ...table, columns }, {}, 'bece')
    return lines.filter(({ problem }) => problem === null).map(({ serial, pin }) => `${serial}/${pin}`)
  },
  list: (text) => bought(toOwnLines(text)),
  'list file': (text) => {
    const { rows, missing } = toListRows(readTable([readText('list', text)], LIST_WORDS))
    return missing.length > 0 ? [] : bought(rows.map((row) => row.text).join('\n'))
  },
  amount: (text) => ifRead(readAmount(text), (pesewas) => `¢${formatPesewas(pesewas)}`),
  time: (text) => ifRead(readDate(text), ({ at }) => at.toISOString()),
  'price list': (text) =>
    readPriceList(text, 'MTN', ['1GB', '2GB', '3GB', '5GB', '10GB']).flatMap(({ offer, prices = [] }) =>
      offer ? [`${offer} ${prices.map(({ pesewas }) => `¢${formatPesewas(pesewas)}`).join(' or ')}`] : [],
    ),
  message: (text) => {
    const { items } = readMessages({ text, rows: [], ofServer: [] })
    return items.flatMap((item) => {
      // The same transaction with two amounts is asked about when it is kept.
      if (items.some((other) => other.transactionId === item.transactionId && other.amountPesewas !== item.amountPesewas)) return []
      if (item.kind !== 'credit' || item.doubts.length > 0 || (item.sentAt && isUnlikelyTime(item.sentAt, TODAY))) return []
      return [`${item.transactionId} ¢${formatPesewas(item.amountPesewas)}${item.typedPhone ? ` typed ${item.typedPhone}` : ''}`]
    })
  },
}

test.each(WRITTEN)('$id: $door', ({ door, text, sure }) => {
  expect(DOORS[door](text)).toEqual(sure)
})
