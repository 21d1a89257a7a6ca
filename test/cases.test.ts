import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseMessage } from '../server/features/messages/message-formats/parse-message.ts'
import { type CloudApiSettings, createCloudApi } from '../server/integrations/whatsapp/cloud-api.ts'
import type { BatchRow } from '../shared/batches.ts'
import { type BulkShelf, checkLines } from '../shared/bulk-lines.ts'
import { formatPesewas } from '../shared/money.ts'
import { CHECKER_WORDS, LIST_WORDS, STATEMENT_WORDS } from '../shared/readers/heading-words.ts'
import { readAmount } from '../shared/readers/read-amount.ts'
import { checkerColumns, readCheckerRows } from '../shared/readers/read-checkers.ts'
import { toListRows } from '../shared/readers/read-list.ts'
import { readStatement } from '../shared/readers/read-statement.ts'
import { leftOutText, readTable } from '../shared/readers/read-table.ts'
import type { Reading } from '../shared/readers/reading.ts'
import { matchResults } from '../web/features/delivery/batches/admin/match-results.ts'
import { readCheckerFile } from '../web/features/orders/checkers/admin/read-checker-file.ts'
import { readSheetFile } from '../web/lib/read-sheet-file.ts'

/** Files and lines as people really sent them; `test/fixtures/cases` has each as it came. */
const FOLDER = new URL('fixtures/cases/', import.meta.url)
const bytesOf = (name: string) => readFileSync(new URL(name, FOLDER))
const fileOf = (name: string) => new File([new Uint8Array(bytesOf(name))], name)
const linesOf = (name: string) => bytesOf(name).toString('utf8').split(/\r?\n/).filter(Boolean)

/** Every file with what each of its lines or rows ends as. A heading, and what is left out, are lines too. */
const ENDS: Record<string, readonly string[]> = {
  'money-typed.txt': ['¢55.50', '¢12.50', '¢1.50', '¢50.00'],
  'list-lines.txt': [
    ...['0244100001 1.5GB', '0244100002 500MB', '0244100003 2.5GB', 'asked', 'asked', 'asked', 'asked', 'asked', 'asked', 'asked', 'asked'],
    ...['asked', 'asked', '0244100014 5GB', '0244100015 5GB', '0244100016 5GB', '0244100017 5GB', 'asked', '0244100019 5GB'],
  ],
  'list-amount-column.csv': ['headings', 'asked', 'asked'],
  'list-decimal-comma.csv': ['headings', '0244100001 1.5GB', '0244100002 500MB'],
  'list-hidden-sheet.xlsx': ['headings', '0244123456 5GB', 'left out: 4 rows in the hidden sheet “old”'],
  'list-filtered-row.xlsx': ['headings', '0244123456 5GB', 'left out: 1 row that is hidden or filtered out'],
  'statement-status-and-drcr.csv': ['headings', 'failed ¢77.00', 'out ¢88.00', 'failed ¢20.00', 'failed ¢20.00'],
  'statement-decimal-comma.csv': ['headings', 'in ¢50.00 2026-11-27T04:52:00.000Z', 'in ¢7.50 2026-11-27T00:00:00.000Z'],
  'statement-dates.csv': [
    'headings',
    'in ¢50.00 2026-11-27T00:15:22.000Z',
    'in ¢50.00 2026-11-27T22:15:22.000Z',
    'in ¢1.00 asked: There is no such day.',
    'in ¢1.00 asked: There is no such time.',
  ],
  'batch-results.txt': ['asked', 'asked', 'asked', 'asked', 'open', 'open', 'open', 'asked', 'asked', 'asked', 'open'],
  'checkers-pin-first.txt': [
    'left out: 1 line',
    ...['1', '2', '3'].flatMap((digit) => ['with the next line', `WGR260000${digit} ${digit.repeat(12)}`]),
  ],
  'checkers-mixed-order.txt': ['1', '2', '3'].map((digit) => `WGR260000${digit} ${digit.repeat(12)}`),
  'checkers-pin-groups.txt': ['WGR2600001 123456789012', 'WGR2600002 223456789012'],
  ...Object.fromEntries(
    ['serial-code', 'serial-no', 'serial-number', 'voucher-serial'].map((heading) => [
      `checkers-heading-${heading}.csv`,
      ['headings', 'WGR2600001 123456789012', 'WGR2600002 223456789012', 'WGR2600003 323456789012'],
    ]),
  ),
  'checkers-heading-pincode-serialno.csv': ['headings', 'WGR2600001 123456789012', 'WGR2600002 223456789012'],
  'checkers-heading-voucher-password.csv': ['headings', ...Array<string>(3).fill('asked: which column is which')],
  'checkers-sn-first-no-heading.csv': Array<string>(2).fill('asked: which column is which'),
  'checkers-lost-zero.csv': [
    'headings',
    'WGR2600001 123456789012',
    'asked: This PIN has 11 digits and most have 12',
    'WGR2600003 345678901234',
  ],
  ...Object.fromEntries(
    ['checkers-numbers.xlsx', 'checkers-numbers.xlsm', 'checkers-no-extension.bin'].map((name) => [
      name,
      [
        'headings',
        'asked: The PIN was shortened by a spreadsheet',
        'asked: This PIN has 12 digits and others have not',
        'asked: This PIN has 11 digits and others have not',
      ],
    ]),
  ),
  'checkers-two-tables.csv': ['headings', 'WGR2600001 123456789012 and WGR2600051 523456789012'],
  'momo-messages.txt': [
    'a note',
    'credit ¢9.00 SENDER TWO SAMPLE, balance ¢9.09',
    'a note',
    'money-out ¢15.00, balance ¢205.11',
    'money-out ¢40.00, balance ¢1.53',
    'money-out ¢6.60, balance ¢46.73',
    'other, balance ¢461.73',
    'money-out ¢25.00, balance ¢26.27',
    'a note',
    'credit ¢68.95 SAMPLE PERSON, balance ¢1,001.02',
    'credit ¢387.72 EXPRESSPAY, balance ¢944.40',
  ],
  'whatsapp-no-from.json': ['noted for the owner'],
}

const OFFERS = [500, 1000, 1500, 2000, 2500, 5000, 10_000, 20_000, 30_000].map((volumeMb) => ({
  productId: 'p',
  offer: volumeMb < 1000 ? `${volumeMb}MB` : `${volumeMb / 1000}GB`,
  volumeMb,
  cedis: volumeMb / 200,
}))
const SHELF: BulkShelf = { MTN: OFFERS, Telecel: OFFERS, AirtelTigo: OFFERS }

const cedis = (pesewas: number | null) => `¢${formatPesewas(pesewas ?? -1)}`
const amountText = (reading: Reading<number>) => (reading.kind === 'read' ? cedis(reading.value) : 'asked')

function bought(text: string): string[] {
  return checkLines(text, SHELF).map(({ state, item }) => (state === 'ready' ? `${item?.receiver} ${item?.offer}` : 'asked'))
}

async function listEnds(name: string): Promise<string[]> {
  const table = readTable(await readSheetFile(fileOf(name)), LIST_WORDS)
  const leftOut = table.leftOut.map((left) => `left out: ${leftOutText(left)}`)
  if (toListRows(table).missing.length > 0) return ['headings', ...table.rows.map(() => 'asked')]
  const { rows } = toListRows(table)
  return ['headings', ...bought(rows.map(({ text }) => text).join('\n')), ...leftOut]
}

async function statementEnds(name: string): Promise<string[]> {
  const { lines, questions } = readStatement(readTable(await readSheetFile(fileOf(name)), STATEMENT_WORDS))
  expect(questions).toEqual([])
  return [
    'headings',
    ...lines.map(({ kind, amountPesewas, at, reasons }) => {
      const when = reasons.length > 0 ? `asked: ${reasons.join(' ')}` : at?.toISOString()
      return `${kind} ${cedis(amountPesewas)}${kind === 'in' ? ` ${when}` : ''}`
    }),
  ]
}

async function checkerEnds(name: string): Promise<string[]> {
  const source = await readCheckerFile(fileOf(name))
  const endOf = ({ serial, pin, problem }: { serial: string; pin: string; problem: string | null }) =>
    problem === null ? `${serial} ${pin}` : `asked: ${problem.split(/: |\. /, 1)[0]}`
  if (source.lines) {
    const isSpread = linesOf(name).length > source.lines.length + source.strange
    const ends = source.lines.flatMap((line) => (isSpread ? ['with the next line', endOf(line)] : [endOf(line)]))
    return [...(source.strange > 0 ? [`left out: ${source.strange} line`] : []), ...ends]
  }
  const table = readTable(source.sheets, CHECKER_WORDS)
  const { columns, isSure } = checkerColumns(table)
  const heading = table.signature === '' ? [] : ['headings']
  const { serial, pin } = columns
  if (!isSure || serial === undefined || pin === undefined) return [...heading, ...table.rows.map(() => 'asked: which column is which')]
  const byLine = Map.groupBy(readCheckerRows({ ...table, columns }).lines, ({ line }) => line)
  return [...heading, ...[...byLine.values()].map((pairs) => pairs.map(endOf).join(' and '))]
}

function batchEnds(name: string): string[] {
  return linesOf(name).map((line) => {
    const order = { _id: 'o', receiver: line.split('\t', 1)[0], offer: '1GB' }
    const { outcomes, unknown, strange } = matchResults(line, [{ status: 'locked', order } as unknown as BatchRow])
    return outcomes.get('o')?.what ?? (unknown.length + strange.length > 0 ? 'asked' : 'open')
  })
}

function messageEnds(name: string): string[] {
  return linesOf(name).map((line) => {
    if (!/GHS/.test(line)) return 'a note'
    const read = parseMessage({ text: line, sender: null, at: null })
    const balance = `, balance ${cedis(read.balancePesewas)}`
    if (read.kind === 'other') return `other${balance}`
    return `${read.kind} ${cedis(read.amountPesewas)}${read.kind === 'credit' ? ` ${read.payerName}` : ''}${balance}`
  })
}

function webhookEnds(name: string): string[] {
  const settings = { appSecret: 'secret', phoneId: 'PHONE_ID' } as CloudApiSettings
  const body = bytesOf(name)
  const signature = `sha256=${createHmac('sha256', settings.appSecret).update(body).digest('hex')}`
  const event = createCloudApi(settings).readWebhook(body, signature)
  return event?.unnumbered.map(() => 'noted for the owner') ?? []
}

/** What each line of a file ends as, by how its name begins. */
function endsOf(name: string): string[] | Promise<string[]> {
  if (name === 'money-typed.txt') return linesOf(name).map((line) => amountText(readAmount(line)))
  if (name === 'list-lines.txt') return bought(bytesOf(name).toString('utf8'))
  if (name.startsWith('list-')) return listEnds(name)
  if (name.startsWith('statement-')) return statementEnds(name)
  if (name.startsWith('checkers-')) return checkerEnds(name)
  if (name === 'batch-results.txt') return batchEnds(name)
  if (name === 'momo-messages.txt') return messageEnds(name)
  return webhookEnds(name)
}

test('every file of the folder is read', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(ENDS).sort())
})

test.each(Object.keys(ENDS))('each line of %s ends as it should', async (name) => {
  expect(await endsOf(name)).toEqual(ENDS[name])
  if (/\.(?:txt|csv)$/.test(name)) expect(ENDS[name]).toHaveLength(linesOf(name).length)
})
