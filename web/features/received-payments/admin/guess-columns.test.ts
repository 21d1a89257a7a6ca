import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import writeSheet from 'write-excel-file/node'
import { guessColumns, readRows } from './guess-columns.ts'
import { readTable } from './read-table.ts'

const MTN = `STATEMENT OF ACCOUNT,,,,,,,,,,
Wallet,0241234567,,,,,,,,,
TRANSACTION DATE,FROM NAME,FROM NO.,TRANS. TYPE,AMOUNT,FEES,BAL BEFORE,BAL AFTER,TO NAME,F_ID,REF
22-Nov-2026 02:05:11 PM,AMA SAMPLE,233241112223,TRANSFER,"1,006.48",0.00,100.00,"1,106.48",MY SHOP,83724298138,96397268
22-Nov-2026 03:00:00 PM,MY SHOP,233241234567,CASH_OUT,40.00,0.40,"1,106.48","1,066.08",ADOM,10493827561,
,,,,Total,,,,,,
`

const file = (name: string, text: string) => new File([text], name)

test('the columns of a statement are found by their headings, below whatever stands above them', async () => {
  const table = await readTable(file('mtn.csv', MTN))
  const { rows, skipped, problem } = readRows(table, guessColumns(table.headings))
  expect([skipped, problem]).toEqual([1, null])
  expect(rows).toEqual([
    {
      kind: 'in',
      transactionId: '83724298138',
      amount: 1006.48,
      payer: 'AMA SAMPLE',
      payerPhone: '233241112223',
      reference: '96397268',
      at: '2026-11-22T14:05:11.000Z',
      balance: 1106.48,
    },
    expect.objectContaining({ kind: 'out', transactionId: '10493827561', amount: 40 }),
  ])
})

test('money in and out in columns of their own, semicolons, another order, and what failed', async () => {
  const text = `\ufeffReceipt No.;Completion Time;Details;Status;Paid In;Withdrawn;Balance
0000019305566778;2026-01-07 11:02:51;Received from KOJO;Completed;45.00;;135.25
0000019305566779;2026-01-07 11:05:00;Sent;Completed;;(20.00);115.25
0000019305566780;07/01/2026 11:06;Received;Failed;10.00;;115.25`
  const table = await readTable(file('telecel.csv', text))
  const { rows } = readRows(table, guessColumns(table.headings))
  expect(rows.map(({ kind, transactionId, amount, at }) => [kind, transactionId, amount, at])).toEqual([
    ['in', '0000019305566778', 45, '2026-01-07T11:02:51.000Z'],
    ['out', '0000019305566779', 20, '2026-01-07T11:05:00.000Z'],
    ['failed', '0000019305566780', 10, '2026-01-07T11:06:00.000Z'],
  ])
})

test('a workbook is read like a text file', async () => {
  const path = join(tmpdir(), `statement-${process.pid}.xlsx`)
  const head = ['F_ID', 'TRANSACTION DATE', 'FROM NAME', 'AMOUNT']
  await writeSheet([
    head.map((value) => ({ value })),
    [{ value: 83_724_298_138 }, { value: '22/11/2026 14:05' }, { value: 'AMA' }, { value: 60 }],
  ]).toFile(path)
  const table = await readTable(new File([await readFile(path)], 'statement.xlsx'))
  await rm(path)
  const { rows } = readRows(table, guessColumns(table.headings))
  expect(rows).toMatchObject([{ transactionId: '83724298138', amount: 60, payer: 'AMA', at: '2026-11-22T14:05:00.000Z' }])
})

test('without a column for the id or the amount, and with ids that a spreadsheet cut off, nothing is read', () => {
  const table = { name: 'x', headings: ['A', 'B'], rows: [['8.37E+10', '60']] }
  expect(readRows(table, {}).problem).toBe('Choose the column with the transaction ID.')
  expect(readRows(table, { transactionId: 0 }).problem).toBe('Choose the column with the amount.')
  expect(readRows(table, { transactionId: 0, amount: 1 }).problem).toMatch(/^The transaction IDs are cut off/)
  expect(readRows(table, { transactionId: 1, amount: 0 }).problem).toMatch(/^No row has both/)
})
