import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPesewas } from '../money.ts'
import { CHECKER_WORDS, LIST_WORDS, RESULT_WORDS, STATEMENT_WORDS } from './heading-words.ts'
import { checkerColumns, findPairProblems, readCheckerRows, readCheckerText } from './read-checkers.ts'
import { toListRows } from './read-list.ts'
import { toResultRows } from './read-results.ts'
import { readStatement } from './read-statement.ts'
import { type HeadingWords, leftOutText, readTable } from './read-table.ts'
import { readText } from './sheets.ts'

const caseText = (name: string) => readFile(new URL(`../../test/fixtures/cases/${name}`, import.meta.url), 'utf8')

/** The pairs of a distributor's text, what is wrong with them, and whether a person has to say which column is which. */
function checkersIn(text: string) {
  const source = readCheckerText('checkers', text)
  if (source.lines)
    return { pairs: source.lines.map(({ serial, pin, problem }) => [serial, pin, problem]), isAsked: false, leftOut: source.strange }
  const table = readTable(source.sheets, CHECKER_WORDS)
  const { columns, isSure } = checkerColumns(table)
  const lines = readCheckerRows({ ...table, columns }).lines
  return { pairs: lines.map((line) => [line.serial, line.pin, line.problem]), isAsked: !isSure, leftOut: table.leftOut.map(leftOutText) }
}

function statementIn(text: string, answers = {}) {
  const table = readTable([readText('statement', text)], STATEMENT_WORDS)
  const read = readStatement(table, answers)
  return { ...read, leftOut: [...table.leftOut, ...(read.leftOut ?? []).filter(({ count }) => count > 0)].map(leftOutText) }
}

const THREE = [
  ['WGR2600001', '123456789012', null],
  ['WGR2600002', '223456789012', null],
  ['WGR2600003', '323456789012', null],
]

describe('checkers', () => {
  test.each([
    ['checkers-heading-serial-code.csv', THREE],
    ['checkers-heading-serial-no.csv', THREE],
    ['checkers-heading-serial-number.csv', THREE],
    ['checkers-heading-voucher-serial.csv', THREE],
    ['checkers-heading-pincode-serialno.csv', THREE.slice(0, 2)],
    ['checkers-pin-groups.txt', THREE.slice(0, 2)],
  ])('%s is read as its headings say', async (name, pairs) => {
    expect(checkersIn(await caseText(name))).toMatchObject({ pairs, isAsked: false })
  })

  test.each(['checkers-pin-first.txt', 'checkers-mixed-order.txt'])('%s keeps each PIN with its own serial', async (name) => {
    const { pairs } = checkersIn(await caseText(name))
    expect(pairs).toEqual(['1', '2', '3'].map((digit) => [`WGR260000${digit}`, digit.repeat(12), null]))
  })

  test.each(['checkers-heading-voucher-password.csv', 'checkers-sn-first-no-heading.csv'])('%s is asked about', async (name) => {
    expect(checkersIn(await caseText(name)).isAsked).toBe(true)
  })

  test('of two tables side by side both are read', async () => {
    const { pairs } = checkersIn(await caseText('checkers-two-tables.csv'))
    expect(pairs).toEqual([
      ['WGR2600001', '123456789012', null],
      ['WGR2600051', '523456789012', null],
    ])
  })

  test('a PIN that lost its zero is asked about in CSV, and long ones that end in zeros', async () => {
    const { pairs } = checkersIn(await caseText('checkers-lost-zero.csv'))
    expect(pairs.map(([, , problem]) => problem)).toEqual([null, expect.stringMatching(/^This PIN has 11 digits and most have 12/), null])
    const cut = checkersIn('Serial,PIN\nWGR1,1234567890123450\nWGR2600002,1234567890123460').pairs
    expect(cut.map(([, , problem]) => problem)).toEqual([expect.any(String), expect.stringMatching(/ends in zeros/)])
    const long = checkersIn('Serial,PIN\nWGR2600001,1234567890123450\nWGR2600002,1234567890123461').pairs
    expect(long.map(([, , problem]) => problem)).toEqual([null, null])
    expect(checkersIn('Serial,PIN\nWGR2600001,1.23457E+11').pairs[0]?.[2]).toMatch(/shortened by a spreadsheet/)
  })

  test.each([
    ['a pair with a missing part', 'PIN: 111111111111\nSERIAL: WGR2600001\nPIN: 222222222222'],
    ['the order turned round from line to line', 'Serial: WGR2600001\nPIN: 111111111111\n\nPIN: 222222222222\nSerial: WGR2600002'],
    ['two PINs one after the other', 'Serial: WGR2600001\nPIN: 111111111111\nPIN: 222222222222\nSerial: WGR2600002'],
    ['a word behind a PIN', 'Serial: WGR2600001 PIN: 111111111111 or 222222222222\nSerial: WGR2600002 PIN: 333333333333 used'],
  ])('%s is not paired', (_what, text) => {
    const { pairs } = checkersIn(text)
    expect(pairs.length).toBeGreaterThan(0)
    expect(pairs.every(([, , problem]) => problem !== null)).toBe(true)
  })

  test('a serial and a PIN that changed places among others are refused', () => {
    const pairs = [
      ...THREE.map(([serial, pin]) => ({ serial: serial as string, pin: pin as string })),
      { serial: '423456789012', pin: 'WGR2600004' },
    ]
    expect(findPairProblems(pairs).map(({ problem }) => problem)).toEqual([null, null, null, expect.stringMatching(/changed places/)])
  })

  test('of two kinds in one list each is a question, and what is used or too old is another', () => {
    const text =
      'Serial,PIN,Type,Status,Expiry\nWGR2600001,123456789012,BECE,,31/12/2027\nWGR2600002,223456789012,WASSCE,Used,31/12/2024\nWGR2600003,323456789012,BECE,,31/12/2027'
    const table = readTable(readCheckerText('checkers', text).sheets ?? [], CHECKER_WORDS)
    const read = (answers = {}) => readCheckerRows({ ...table, columns: { serial: 0, pin: 1 } }, answers)
    expect(read().questions.map(({ ask, count }) => [ask, count])).toEqual([
      ['“Type” says “BECE”. Do we take these rows?', 2],
      ['“Type” says “WASSCE”. Do we take these rows?', 1],
      ['“Status” says “Used”. Do we take these rows?', 1],
      ['“Expiry” says “31/12/2024”. Do we take these rows?', 1],
    ])
    expect(read().lines.map(({ problem }) => problem)).toEqual(['“Type” says “BECE”.', '“Type” says “WASSCE”.', '“Type” says “BECE”.'])
    const told = read({ 'column:type:bece': 'take', 'column:type:wassce': 'leave' })
    expect(told.lines.map(({ serial, problem }) => [serial, problem])).toEqual([
      ['WGR2600001', null],
      ['WGR2600003', null],
    ])
  })

  const pair = fc.record({
    serial: fc.integer({ min: 10 ** 8, max: 10 ** 9 - 1 }).map((digits) => `WGR${digits}`),
    pin: fc.bigInt({ min: 10n ** 11n, max: 10n ** 12n - 1n }).map(String),
  })
  const pairs = fc
    .uniqueArray(pair, { minLength: 2, maxLength: 8, selector: ({ serial }) => serial })
    .filter((list) => new Set(list.map(({ pin }) => pin)).size === list.length)
  const groups = (pin: string) => pin.replace(/(\d{4})(?=\d)/g, '$1 ')

  test('written in any accepted way, all pairs are read back, each with its own PIN', () => {
    const ways: ((list: { serial: string; pin: string }[]) => string)[] = [
      (list) => ['Serial,PIN', ...list.map(({ serial, pin }) => `${serial},${pin}`)].join('\n'),
      (list) => ['PIN;Serial No', ...list.map(({ serial, pin }) => `${groups(pin)};${serial}`)].join('\r\n'),
      (list) => list.map(({ serial, pin }) => `${serial}\t${pin}`).join('\n'),
      (list) => list.map(({ serial, pin }) => `${serial} ${groups(pin)}`).join('\n'),
      (list) => list.map(({ serial, pin }) => `Pin: ${groups(pin)}, S/N: ${serial}`).join('\n'),
      (list) => list.map(({ serial, pin }) => `PIN ${pin}\nSerial No. ${serial}`).join('\n\n'),
      (list) => list.map(({ serial, pin }, at) => (at % 2 ? `PIN=${pin} SERIAL=${serial}` : `SERIAL=${serial} PIN=${pin}`)).join('\n'),
      (list) => JSON.stringify(list),
      (list) => ['No,Card Serial,Card PIN', ...list.map(({ serial, pin }, at) => `${at + 1},${serial},${pin}`)].join('\n'),
    ]
    fc.assert(
      fc.property(pairs, fc.constantFrom(...ways), (list, write) => {
        expect(checkersIn(write(list))).toMatchObject({ pairs: list.map(({ serial, pin }) => [serial, pin, null]), isAsked: false })
      }),
    )
  })

  test('a line that is put in or taken out anywhere never gives a serial another PIN', () => {
    fc.assert(
      fc.property(
        pairs,
        fc.nat(),
        fc.constantFrom('drop', 'PIN: 999999999999', 'Serial: ZZZ999999999', 'thanks', ''),
        (list, at, foreign) => {
          const lines = list.flatMap(({ serial, pin }) => [`PIN: ${pin}`, `Serial: ${serial}`, ''])
          const place = at % lines.length
          if (foreign === 'drop') lines.splice(place, 1)
          else lines.splice(place, 0, foreign)
          const written = new Map(list.map(({ serial, pin }) => [serial, pin]))
          const read = checkersIn(lines.join('\n')).pairs.filter(([, , problem]) => problem === null)
          for (const [serial, pin] of read) expect([serial, pin]).toEqual([serial, written.get(serial as string)])
        },
      ),
    )
  })
})

describe('a statement', () => {
  const kinds = (text: string, answers = {}) => statementIn(text, answers).lines.map(({ kind, amountPesewas }) => [kind, amountPesewas])

  test('counts only successful money in', async () => {
    expect(kinds(await caseText('statement-status-and-drcr.csv'))).toEqual([
      ['failed', 7_700],
      ['out', 8_800],
      ['failed', 2_000],
      ['failed', 2_000],
    ])
  })

  test('takes its decimal sign from the whole column', async () => {
    expect(kinds(await caseText('statement-decimal-comma.csv'))).toEqual([
      ['in', 5_000],
      ['in', 750],
    ])
    const amounts = (...cells: string[]) =>
      statementIn(`Date;Trans ID;Money in\n${cells.map((cell, at) => `;8000000000${at};${cell}`).join('\n')}`)
    expect(amounts('1.500', '2,75').lines.map(({ amountPesewas }) => amountPesewas)).toEqual([150_000, 275])
    expect(amounts('1,500', '2.75').lines.map(({ amountPesewas }) => amountPesewas)).toEqual([150_000, 275])
    const open = amounts('1,500', '2,750')
    expect([open.lines.map(({ kind }) => kind), open.questions.map(({ key, count }) => [key, count])]).toEqual([
      ['doubtful', 'doubtful'],
      [['decimal', 2]],
    ])
  })

  test('has a time only where there is one, and asks once which number is the day', async () => {
    const { lines } = statementIn(await caseText('statement-dates.csv'))
    expect(lines.map(({ at, reasons }) => [at?.toISOString() ?? null, reasons.length])).toEqual([
      ['2026-11-27T00:15:22.000Z', 0],
      ['2026-11-27T22:15:22.000Z', 0],
      [null, 1],
      [null, 1],
    ])
    const text = 'Date,Trans ID,Money in\n03/04/2026 10:00,80000000001,5\n04/05/2026 10:00,80000000002,6'
    const asked = statementIn(text)
    expect(asked.questions).toMatchObject([{ key: 'dates', count: 2 }])
    expect(asked.lines.every(({ at, reasons }) => at === null && reasons.length === 1)).toBe(true)
    expect(statementIn(text, { dates: 'mdy' }).lines.map(({ at }) => at?.toISOString().slice(0, 10))).toEqual(['2026-03-04', '2026-04-05'])
    const settled = statementIn(`${text}\n13/05/2026 10:00,80000000003,7`)
    expect([settled.questions, settled.lines[0]?.at?.toISOString()]).toEqual([[], '2026-04-03T10:00:00.000Z'])
  })

  test('asks once about a word that it does not know, and leaves its rows doubtful until then', () => {
    const text =
      'Trans ID,Amount,Status,Dr/Cr\n80000000001,5.00,Banked,CR\n80000000002,6.00,BANKED,CR\n80000000003,7.00,Completed,Sideways\n80000000004,8.00,OK,C'
    const asked = statementIn(text)
    expect(asked.questions.map(({ key, count }) => [key, count])).toEqual([
      ['status:banked', 2],
      ['direction:sideways', 1],
    ])
    expect(asked.lines.map(({ kind }) => kind)).toEqual(['doubtful', 'doubtful', 'doubtful', 'in'])
    const told = statementIn(text, { 'status:banked': 'done', 'direction:sideways': 'out' })
    expect([told.questions, told.lines.map(({ kind }) => kind)]).toEqual([[], ['in', 'in', 'out', 'in']])
    expect(statementIn(text, { 'status:banked': 'failed' }).lines.map(({ kind }) => kind)).toEqual(['failed', 'failed', 'doubtful', 'in'])
  })

  test.each([
    ['two columns', 'Trans ID,Credit,Debit\n80000000001,5.00,0.00\n80000000002,,6.00\n80000000003,7,7', ['in', 'out', 'doubtful']],
    [
      'a sign, brackets and marks',
      'Trans ID,Amount\n80000000001,+5.00\n80000000002,(6.00)\n80000000003,7.00 DR\n80000000004,8.00CR\n80000000005,-9\n80000000006,GH¢ -1',
      ['in', 'out', 'out', 'in', 'out', 'out'],
    ],
    ['balances', 'Trans ID,Amount,Bal before,Bal after\n80000000001,5.00,10.00,15.00\n80000000002,6.00,15.00,9.00', ['in', 'out']],
    [
      'a kind of transaction',
      'Trans ID,Amount,Type\n80000000001,5.00,CASH_IN\n80000000002,6.00,Cash Out\n80000000003,7.00,Reversal\n80000000004,8.00,TRANSFER',
      ['in', 'out', 'other', 'doubtful'],
    ],
    [
      'marks that contradict each other',
      'Trans ID,Amount,Dr/Cr,Type\n80000000001,5.00,CR,Cash out\n80000000002,-6.00,CR,',
      ['doubtful', 'doubtful'],
    ],
    ['words of a reversal', 'Trans ID,Amount,Dr/Cr,Details\n80000000001,5.00,CR,Reversal of 80000000000', ['doubtful']],
    ['a pending row', 'Trans ID,Money in,Status\n80000000001,5.00,Pending', ['open']],
    ['no direction at all', 'Trans ID,Amount\n80000000001,5.00', ['doubtful']],
    ['an unquoted comma in an amount', 'Trans ID,Money in,Ref\n80000000001,1,500.00,x', ['doubtful']],
    ['an ID that Excel cut', 'Trans ID,Money in\n8.37E+10,5.00', ['doubtful']],
    ['no ID', 'Trans ID,Money in\n,5.00', ['doubtful']],
    ['another currency beside it', 'Trans ID,Money in,Currency\n80000000001,5.00,GHS\n80000000002,5.00,USD', ['in', 'doubtful']],
    [
      'no status where others have one',
      'Trans ID,Money in,Status\n80000000001,5,OK\n80000000002,5,\n80000000003,5,-',
      ['in', 'doubtful', 'doubtful'],
    ],
    ['a column that takes it back', 'Trans ID,Money in,Reversed\n80000000001,5.00,Yes\n80000000002,5.00,No', ['doubtful', 'in']],
    [
      'remarks that take it back',
      'Trans ID,Money in,Remarks\n80000000001,5,REVERSED\n80000000002,5,ok\n80000000003,5,failed - returned',
      ['doubtful', 'in', 'doubtful'],
    ],
    [
      'a second status',
      'Trans ID,Money in,Status,Status Reason\n80000000001,5,OK,Reversed on 27/11\n80000000002,5,OK,',
      ['doubtful', 'in'],
    ],
    [
      'balances that contradict the amount',
      'Trans ID,Amount,Bal before,Bal after\n80000000001,50,100,150\n80000000002,50,100,120\n80000000003,50,100,149.50',
      ['in', 'doubtful', 'doubtful'],
    ],
    [
      'a balance that falls by what came in',
      'Trans ID,Amount,Balance,Details\n80000000001,50,150,Received from A\n80000000002,30,120,Received from A',
      ['in', 'doubtful'],
    ],
    [
      'balances from the last row up',
      'Trans ID,Money in,Money out,Balance\n80000000003,30,,170\n80000000002,,10,140\n80000000001,50,,150',
      ['in', 'out', 'in'],
    ],
  ])('with %s is read whole or not at all', (_what, text, expected) => {
    expect(statementIn(text).lines.map(({ kind }) => kind)).toEqual(expected)
  })

  test('asks once about a column that nobody reads, and takes or leaves its rows', () => {
    const text = 'Trans ID,Money in,Ccy\n80000000001,5,USD\n80000000002,6,GHS\n80000000003,7,usd'
    const { lines, questions } = statementIn(text)
    expect([lines.map(({ reasons }) => reasons), questions]).toMatchObject([
      [['“Ccy” says “USD”.'], [], ['“Ccy” says “usd”.']],
      [{ key: 'column:ccy:usd', ask: '“Ccy” says “usd”. Do we take these rows?', count: 2 }],
    ])
    expect(kinds(text, { 'column:ccy:usd': 'leave' }).map(([kind]) => kind)).toEqual(['other', 'in', 'other'])
    expect(kinds(text, { 'column:ccy:usd': 'take' }).map(([kind]) => kind)).toEqual(['in', 'in', 'in'])
    expect(kinds(`${text}\n80000000004,8,EUR`, { 'column:ccy:usd': 'take' }).map(([kind]) => kind)).toContain('doubtful')
  })

  test('is found below whatever stands above it, and what is left out is said', () => {
    const text =
      'STATEMENT OF ACCOUNT,,,\nWallet,0241234567,,\nTRANSACTION DATE,FROM NAME,F_ID,AMOUNT\n22-Nov-2026 02:05:11 PM,AMA,83724298138,"1,006.48"\nTRANSACTION DATE,FROM NAME,F_ID,AMOUNT\n,,Total,\nPhone,GB,,\n0244123456,5,,'
    const { lines, leftOut } = statementIn(text)
    expect(lines).toMatchObject([{ kind: 'in', transactionId: '83724298138', amountPesewas: 100_648, payer: 'AMA' }])
    expect(lines[0]?.at?.toISOString()).toBe('2026-11-22T14:05:11.000Z')
    expect(leftOut).toEqual([
      '2 rows above the headings',
      '1 row that repeats the headings',
      '3 rows without a transaction ID or an amount',
    ])
  })

  test('written in any accepted way, all amounts and directions are read back', () => {
    const row = fc.record({ pesewas: fc.integer({ min: 1, max: 5_000_000 }), way: fc.constantFrom('in', 'out') })
    const rows = fc.array(row, { minLength: 1, maxLength: 6 })
    const comma = (pesewas: number) => formatPesewas(pesewas).replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.'))
    type Row = { pesewas: number; way: string }
    const ways: [string, (row: Row) => string][] = [
      ['Trans ID,Amount,Dr/Cr', ({ pesewas, way }) => `"${formatPesewas(pesewas)}",${way === 'in' ? 'CR' : 'DR'}`],
      ['Trans ID;Amount;Direction', ({ pesewas, way }) => `${comma(pesewas)};${way}`],
      [
        'Trans ID\tPaid In\tWithdrawn',
        ({ pesewas, way }) => (way === 'in' ? `GHS ${formatPesewas(pesewas)}\t` : `\t${formatPesewas(pesewas)}`),
      ],
      ['Receipt No.|Amount', ({ pesewas, way }) => `${way === 'in' ? '+' : '-'}${formatPesewas(pesewas)}`],
    ]
    fc.assert(
      fc.property(rows, fc.constantFrom(...ways), (list, [head, write]) => {
        const separator = /[,;\t|]/.exec(head)?.[0]
        const text = [head, ...list.map((one, at) => `8000000000${at}${separator}${write(one)}`)].join('\n')
        expect(kinds(text)).toEqual(list.map(({ pesewas, way }) => [way, pesewas]))
      }),
    )
  })

  test('a foreign word in any cell never makes another amount or direction of a row', () => {
    const head = 'Trans ID;Amount;Dr/Cr;Status'
    const whole = ['80000000001', '55,50', 'CR', 'Successful']
    fc.assert(
      fc.property(fc.nat(3), fc.constantFrom('x', '?', 'not', '1', '-', 'no', ' 7', 'DR', 'un'), fc.boolean(), (at, foreign, isInFront) => {
        const cells = whole.map((cell, place) => (place === at ? (isInFront ? `${foreign}${cell}` : `${cell}${foreign}`) : cell))
        const [line] = statementIn([head, cells.join(';'), '80000000009;1,25;CR;OK'].join('\n')).lines
        if (line?.kind !== 'in' || line.reasons.length > 0 || at === 0) return
        // Only what is no value of its own may be changed: an amount of other digits is another amount.
        if (at === 1 && /\d/.test(foreign)) return
        expect(line.amountPesewas).toBe(5_550)
      }),
    )
  })
})

describe('a list', () => {
  const text = 'Phone,GB,Status,Paid\n0244100001,1,Cancelled,Yes\n0244100002,2,,No\n0244100003,3,Delivered,5.00\n0244100004,4,New,Yes'
  const table = readTable([readText('list', text)], LIST_WORDS)
  const read = (answers = {}) => toListRows(table, answers)

  test('has the words against an order in its line, and asks once about each column, and about each word of a state', () => {
    expect(read().rows.map((row) => row.text)).toEqual([
      '0244100001 1GB cancelled',
      '0244100002 2GB no',
      '0244100003 3GB delivered',
      '0244100004 4GB',
    ])
    expect(read().questions.map(({ ask, count }) => [ask, count])).toEqual([
      ['“Status” says “Cancelled”. Do we take these rows?', 1],
      ['“Paid” says “No”. Do we take these rows?', 1],
      ['“Status” says “Delivered”. Do we take these rows?', 1],
    ])
    const told = read({ 'column:status:cancelled': 'take', 'column:status:delivered': 'leave', 'column:paid:no': 'take' })
    expect([told.rows.map((row) => row.text), told.questions]).toEqual([['0244100001 1GB', '0244100002 2GB', '0244100004 4GB'], []])
  })
})

describe('what has no column of its own', () => {
  test('a bank’s statement without IDs shows its rows, and none of its money in is certain', () => {
    const { lines, missing } = statementIn(
      'Date,Description,Debit,Credit,Balance\n27/11/2026,AMA,,50.00,150.00\n28/11/2026,ECG,20.00,,130.00',
    )
    expect([missing, lines.map(({ kind, reasons }) => [kind, reasons])]).toEqual([
      [],
      [
        ['doubtful', ['There is no transaction ID.']],
        ['out', []],
      ],
    ])
    const other = statementIn('Date,Reference,Credit,Balance\n27/11/2026,86190400001,50.00,150.00')
    expect([other.missing, other.lines]).toEqual([['transactionId'], []])
  })

  test('a file that only says whether orders failed is asked about', () => {
    const table = readTable([readText('results', 'Phone,Failed\n0241110110,Yes\n0241110111,No')], RESULT_WORDS)
    const { rows, questions } = toResultRows(table)
    expect(rows.map(({ text }) => text)).toEqual(['0241110110\t\tFailed: Yes', '0241110111\t\tFailed: No'])
    expect(questions.map(({ ask }) => ask)).toEqual(['“Failed: No”: what happened to the order?'])
  })

  test('a serial and its PIN on the line below are a pair, unless a line is missing or more room is between', () => {
    const [one, two] = [
      ['WGH2600012345', '483920175526'],
      ['WGH2600012346', '093847261554'],
    ]
    expect(checkersIn([...one, ...two].join('\n'))).toMatchObject({
      isAsked: false,
      pairs: [
        [...one, null],
        [...two, null],
      ],
    })
    expect(checkersIn(`${one.join('\n')}\n\n${two.join('\n')}`)).toMatchObject({
      isAsked: false,
      pairs: [
        [...one, null],
        [...two, null],
      ],
    })
    for (const text of [[...one, ...two].slice(1), [...one, two[0]], [one[0], ...two, one[1]]].map((lines) => lines.join('\n')))
      expect(checkersIn(text)).toMatchObject({ isAsked: true })
    expect(checkersIn(`${one[0]}\n\n${one[1]}\n${two.join('\n\n')}`)).toMatchObject({ isAsked: true })
  })
})

describe('a second table', () => {
  const read = (text: string) => {
    const table = readTable([readText('list', text)], LIST_WORDS)
    const { number, size } = table.columns
    const rows = table.rows.map(({ cells }) => [cells[number ?? -1], cells[size ?? -1]])
    return { rows, leftOut: table.leftOut.map(leftOutText) }
  }
  const FIRST = 'Phone,GB,,\n0244100001,1,,\n0244100002,2,,'

  test.each([
    ['with the same headings is read on', `${FIRST}\n,,,\nPhone,GB,,\n0244100003,3,,`, 3, ['1 row that repeats the headings']],
    [
      'with other headings is not read, and that is said',
      `${FIRST}\n,,,\nName,Amount,,\nAma,50,,\nKofi,20,,`,
      2,
      ['3 rows of another table below'],
    ],
    ['beside it with the same headings is read on', 'Phone,GB,,Phone,GB\n0244100001,1,,0244100003,3\n0244100002,2,,,', 3, []],
  ])('%s', (_what, text, count, leftOut) => {
    const all = [
      ['0244100001', '1'],
      ['0244100002', '2'],
      ['0244100003', '3'],
    ]
    expect(read(text)).toEqual({ rows: all.slice(0, count), leftOut })
  })

  test('below it with a column more is said, and the first one is read', () => {
    const { rows, leftOut } = readTable([readText('list', 'Phone,GB\n0244100001,5\n\nName,Phone,GB\nAma,0244100002,2')], LIST_WORDS)
    expect([rows.length, leftOut.map(leftOutText)]).toEqual([1, ['2 rows of another table below']])
  })

  test('beside it with other sizes leaves open which column is which', () => {
    const { columns } = readTable([readText('list', 'Phone,GB,,Phone,Price,GB\n0244100001,1,,0244100003,5,3')], LIST_WORDS)
    expect([columns.number, columns.size]).toEqual([undefined, undefined])
  })

  test('in another sheet is not read, and that is said', () => {
    const sheets = [readText('Staff', FIRST), readText('Old', 'Phone,GB\n0244100009,9')]
    const table = readTable(sheets, LIST_WORDS)
    expect([table.sheet, table.sheets, table.leftOut.map(leftOutText)]).toEqual(['Staff', ['Staff', 'Old'], ['2 rows in the sheet “Old”']])
  })
})

test('a reference number may be what a customer typed, so which column has the IDs is asked', () => {
  const table = readTable([readText('statement', 'Date,Reference No,From,Amount\n28/11/2026,0244300001,AMA,50.00')], STATEMENT_WORDS)
  expect(readStatement(table).missing).toEqual(['transactionId'])
})

describe('a batch result', () => {
  test('asks once about each word that it does not know, and takes nothing as delivered until then', () => {
    const text = 'Phone,GB,Status\n0241110110,1,Delivered\n0241110111,1,Teleported\n0241110112,1,TELEPORTED\n0241110113,1,Not completed'
    const table = readTable([readText('results', text)], RESULT_WORDS)
    const { rows, questions } = toResultRows(table)
    expect(rows.map(({ reason }) => reason === null)).toEqual([true, false, false, false])
    expect(questions.map(({ key, count }) => [key, count])).toEqual([
      ['state:teleported', 2],
      ['state:not completed', 1],
    ])
    const told = toResultRows(table, { 'state:teleported': 'delivered', 'state:not completed': 'failed' })
    expect(told.rows.map((row) => row.text)).toEqual([
      '0241110110\t1\tDelivered',
      '0241110111\t1\tDelivered',
      '0241110112\t1\tDelivered',
      '0241110113\t1\tFailed',
    ])
  })

  test.each([
    ['a reason is kept', 'Phone,GB,Status,Reason\n0241110110,1,Rejected,Not MTN subscriber', 'Rejected - Not MTN subscriber', false],
    [
      'a reason that contradicts is asked about',
      'Phone,Status,Reason\n0241110110,Failed,Already delivered',
      'Failed - Already delivered',
      true,
    ],
    [
      'so is one against a success',
      'Phone,Status,Reason\n0241110110,Success,Number not registered',
      'Success - Number not registered',
      true,
    ],
    ['a remark on a success is not needed', 'Phone,Status,Remark\n0241110110,Success,thanks', 'Success', false],
    ['a word with its remark is one question', 'Phone,Status,Comment\n0241110110,Shared,OK', 'Shared - OK', true],
    ['two states that differ are asked about', 'Phone,Delivery,Status\n0241110110,Delivered,Failed', 'Failed - Delivered', true],
    ['two that agree are one', 'Phone,Delivery,Status\n0241110110,Delivered,Success', 'Success', false],
    ['yes under its heading is a state', 'Phone,Delivered\n0241110110,Yes', 'Delivered: Yes', false],
    ['no under its heading is asked about', 'Phone,Delivered\n0241110110,No', 'Delivered: No', true],
    ['a heading that says it failed', 'Phone,Failed\n0241110110,Yes', 'Failed: Yes', false],
    ['a figure under a state is asked about', 'Phone,GB,Result\n0241110110,5,0', 'Result: 0', true],
    ['less than was ordered is asked about', 'Phone,Requested,Delivered\n0241110110,5000,2000', 'Delivered: 2000', true],
    ['no status where others have one', 'Phone,Status\n0241110110,-\n0241110111,Sent', 'No status', true],
  ])('%s', (_what, text, said, isAsked) => {
    const table = readTable([readText('results', text)], RESULT_WORDS)
    const [row] = toResultRows(table).rows
    expect([row?.text.split('\t')[2], row?.reason !== null]).toEqual([said, isAsked])
  })

  test('is no heading where it has a number', () => {
    const { rows, headings } = readTable([readText('results', '0241110110,5GB,No,Delivered\n0241110111,5GB,Yes,Sent')], RESULT_WORDS)
    expect([rows.length, headings]).toEqual([2, []])
  })

  test('of two numbered columns of one role neither is taken', () => {
    const contested = (text: string, words: HeadingWords<string>) => readTable([readText('x', text)], words).contested
    expect(contested('Phone 1,Phone 2,GB\n0241110110,0241110111,5', LIST_WORDS)).toEqual(['number'])
    expect(contested('Serial,PIN,PIN2\nWGR2600001,123456789012,223456789012', CHECKER_WORDS)).toEqual(['pin'])
  })

  test('of two columns that may be its state neither is taken', () => {
    const { columns, contested } = readTable([readText('results', 'Phone,Status,Order Status\n0241110110,Sent,Failed')], RESULT_WORDS)
    expect([columns.state, contested]).toEqual([undefined, ['state']])
  })
})
