import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { BatchRow } from '../../../../../shared/batches.ts'
import type { Order } from '../../../../../shared/orders.ts'
import { composeBatchList, composeCsv } from './compose-batch-list.ts'
import { matchResults, phraseOf } from './match-results.ts'

const row = (id: string, receiver: string, offer = '1GB', status: BatchRow['status'] = 'locked') =>
  ({ status, order: { _id: id, receiver, offer, reference: `ref${id}` } as unknown as Order }) satisfies BatchRow

const said = (text: string, rows: readonly BatchRow[], options = {}) => {
  const { outcomes, strange, silent } = matchResults(text, rows, options)
  return {
    said: Object.fromEntries([...outcomes].map(([id, one]) => [id, one.what === 'failed' ? `failed: ${one.reason}` : one.what])),
    strange,
    silent,
  }
}

describe('what a portal says', () => {
  const one = [row('a', '0241234567', '10GB')]
  test.each([
    '0241234567 10GB SUCCESSFUL',
    '024 123 4567 - 10 GB - Successful',
    '+233 24 123 4567,10,Delivered',
    '233241234567\t10000\tcompleted',
    '00233241234567;10gig;OK',
    '241234567,10GB,DONE',
    '"0241234567","10GB","Success","2026-11-21 16:58"',
    'Order 10265: 10GB to 024-123-4567 was delivered at 16:58',
    '14,0241234567,10.0GB,completed',
    'ORD-1001,0241234567,10GB,Delivered',
    '1\t0241234567\t10GB\tloaded',
  ])('is read whatever it looks like: %s', (line) => {
    expect(said(`Number,GB,Status\n${line}\n`, one)).toEqual({ said: { a: 'delivered' }, strange: [], silent: 0 })
  })

  test.each([
    ['0241234567 10GB FAILED', 'failed: '],
    ['0241234567 10GB FAILED: number barred', 'failed: number barred'],
    ['0241234567,10GB,Not delivered', 'failed: Not delivered'],
    ['0241234567;10;unsuccessful;wrong network', 'failed: wrong network'],
    ['Invalid number 0241234567 (10GB)', 'failed: Invalid number'],
  ])('with its reason: %s', (line, outcome) => {
    expect(said(line, one).said).toEqual({ a: outcome })
  })

  test('leaves out what is still under way, other numbers and headings', () => {
    expect(said('0241234567 10GB PENDING\n0559999999 1GB successful\nStatus report of 21/11/2026', one)).toEqual({
      said: {},
      strange: ['0559999999 1GB successful'],
      silent: 0,
    })
  })

  test('repeats of what is decided are not strange, and what contradicts that is', () => {
    const rows = [...one, row('b', '0551111111', '1GB', 'completed'), row('c', '0552222222', '1GB', 'rejected')]
    const repeated = '0551111111 1GB successful\n0552222222 1GB failed'
    expect(said(`${repeated}\n0241234567 10GB successful`, rows)).toEqual({ said: { a: 'delivered' }, strange: [], silent: 0 })
    const other = ['0551111111 1GB failed', '0552222222 1GB successful']
    expect(said(other.join('\n'), rows).strange).toEqual(other)
    expect(said('0551111111 2GB successful', rows).strange).toEqual(['0551111111 2GB successful'])
  })

  test('of a line without a word nothing is known, unless the list is of what was delivered', () => {
    expect(said('0241234567 10GB', one)).toEqual({ said: {}, strange: [], silent: 1 })
    expect(said('0241234567 10', one, { silentIsDelivered: true })).toEqual({ said: { a: 'delivered' }, strange: [], silent: 0 })
  })

  test('of another volume for the number is not this order’s', () => {
    expect(said('0241234567 5GB successful', one)).toEqual({ said: {}, strange: ['0241234567 5GB successful'], silent: 0 })
  })

  test('of an order that has left the batch is not counted again', () => {
    expect(said('0241234567 10GB successful', [row('a', '0241234567', '10GB', 'completed')]).said).toEqual({})
  })
})

describe('a number with several orders', () => {
  const two = [row('small', '0241234567', '1GB'), row('large', '0241234567', '10GB')]

  test('is told apart by the volume', () => {
    expect(said('0241234567 10GB successful\n0241234567 1GB failed barred', two).said).toEqual({
      large: 'delivered',
      small: 'failed: barred',
    })
    expect(said('0241234567 1GB successful', two).said).toEqual({ small: 'delivered' })
  })

  test('is not guessed without a volume, unless all is said to be the same', () => {
    expect(said('0241234567 successful', two)).toEqual({ said: {}, strange: ['0241234567 successful'], silent: 0 })
    expect(said('0241234567 successful\n0241234567 delivered', two).said).toEqual({ small: 'delivered', large: 'delivered' })
    expect(said('0241234567 successful\n0241234567 failed', two)).toMatchObject({ said: {}, strange: { length: 2 } })
  })

  test('twice the same volume: one line is one order, and answers that contradict each other are none', () => {
    const same = [row('a', '0241234567'), row('b', '0241234567')]
    expect(said('0241234567 1GB successful', same).said).toEqual({ a: 'delivered' })
    expect(said('0241234567 1GB successful\n0241234567 1GB successful', same).said).toEqual({ a: 'delivered', b: 'delivered' })
    expect(said('0241234567 1GB successful\n0241234567 1GB failed', same).said).toEqual({})
    expect(said('0241234567 1GB successful\n0241234567 1GB failed', [row('a', '0241234567')]).said).toEqual({})
  })
})

describe('the list for a portal', () => {
  const orders = [row('1', '0559298643').order, row('2', '0241232394', '1.5GB').order]

  test('keeps the leading zero, in the columns and the number format that the portal takes', () => {
    const usual = { file: 'csv' as const, columns: ['number', 'gb'] as const, withHeader: true, numberFormat: 'local' as const }
    expect(composeBatchList(orders, { ...usual, columns: ['number', 'gb'] })).toEqual([
      ['Number', 'GB'],
      ['0559298643', '1'],
      ['0241232394', '1.5'],
    ])
    const other = { ...usual, columns: ['mb', 'number', 'reference'] as ('mb' | 'number' | 'reference')[], withHeader: false }
    expect(composeCsv(composeBatchList(orders, { ...other, numberFormat: 'international' }))).toBe(
      '1000,233559298643,ref1\r\n1500,233241232394,ref2\r\n',
    )
    expect(composeBatchList(orders, { ...other, columns: ['number'], numberFormat: 'plus' })).toEqual([
      ['+233559298643'],
      ['+233241232394'],
    ])
  })

  test('has no cell that a spreadsheet would run', () => {
    const odd = row('3', '0559298643', '=1+1,"x"').order
    expect(composeCsv(composeBatchList([odd], { file: 'csv', columns: ['offer'], withHeader: false, numberFormat: 'local' }))).toBe(
      `"'=1+1,""x"""\r\n`,
    )
  })
})

describe('words for what happened', () => {
  const file = readFileSync(new URL('../../../../../test/fixtures/cases/batch-results.txt', import.meta.url), 'utf8')
  const rows = Array.from({ length: 11 }, (_, at) => row(`o${at}`, `02411101${10 + at}`))

  test('for no are never delivered, and what is not known is asked once', () => {
    const { outcomes, unknown, strange } = matchResults(file, rows)
    expect([...outcomes.values()].filter(({ what }) => what === 'delivered')).toEqual([])
    expect({ unknown, strange }).toEqual({
      unknown: ['Not completed', 'NOT PROCESSED', 'Not credited', 'not approved', 'Delivered: No', 'Success: false', 'Sent back'],
      strange: [],
    })
  })

  test('are not delivered either in a list of what was delivered', () => {
    expect(matchResults(file, rows, { silentIsDelivered: true }).outcomes.size).toBe(0)
  })

  test('mean what the admin says, for the whole file', () => {
    const both = '0241110110\t1GB\tSENT BACK\n0241110111\t1GB\tSent back!\n0241110112\tAma\tDelivered'
    const answers = new Map([[phraseOf('sent back'), 'failed' as const]])
    expect(matchResults(both, rows, { answers })).toMatchObject({ outcomes: { size: 2 }, unknown: ['Ama'] })
    const all = new Map([...answers, [phraseOf('Ama'), 'silent' as const]])
    expect([...matchResults(both, rows, { answers: all }).outcomes].map(([id, { what }]) => [id, what])).toEqual([
      ['o0', 'failed'],
      ['o1', 'failed'],
      ['o2', 'delivered'],
    ])
  })

  test('that are figures are shown with them, and each is a question', () => {
    const codes = 'Phone,Size,Status\n0241110110,1GB,1\n0241110111,1GB,2\n0241110112,1GB,1000'
    expect(matchResults(codes, rows).unknown).toEqual(['Status: 1', 'Status: 2', 'Status: 1000'])
    const answers = new Map([[phraseOf('Status: 1'), 'delivered' as const]])
    expect(matchResults(codes, rows, { answers })).toMatchObject({ outcomes: { size: 1 }, unknown: ['Status: 2', 'Status: 1000'] })
    const less = 'Phone,Requested,Delivered\n0241110110,1,1\n0241110111,1,0.5\n0241110112,5,2'
    expect([...matchResults(less, rows, { silentIsDelivered: true }).outcomes.keys()]).toEqual(['o0'])
  })

  test('that contradict each other in one line are asked about', () => {
    expect(matchResults('0241110110 1GB\tDelivered\tReversed', rows)).toMatchObject({
      outcomes: { size: 0 },
      unknown: ['Delivered - Reversed'],
    })
    const answers = new Map([[phraseOf('Delivered - Reversed'), 'failed' as const]])
    expect(matchResults('0241110110 1GB\tDelivered\tReversed', rows, { answers })).toMatchObject({ outcomes: { size: 1 }, unknown: [] })
  })
})

describe('a pasted table below its headings', () => {
  const rows = [row('a', '0241110110', '5GB'), row('b', '0241110111', '5GB')]
  test.each([
    ['is read by them', 'Order ID,Name,Phone,GB,Status\n10265,Ama,0241110110,5,Delivered', { a: 'delivered' }],
    ['takes yes with its heading', 'Phone,Delivered\n0241110110,Yes\n0241110111,', { a: 'delivered' }],
    ['takes no 1 for anything', 'Phone,Size,Result\n0241110110,5GB,1\n0241110111,5GB,0', {}],
    [
      'takes less than was ordered for no success',
      'Phone,Requested,Delivered\n0241110110,5000,5000\n0241110111,5000,2000',
      { a: 'delivered' },
    ],
    [
      'is no table where lines stand above it',
      '0241110111 delivered\nPhone,Status\n0241110110,Delivered',
      { a: 'delivered', b: 'delivered' },
    ],
    ['loses no number in another column', 'Phone,Status\n0241110110,Delivered\nAma,0241110111,Delivered', { a: 'delivered' }],
  ])('%s', (_what, text, ends) => {
    expect(said(text, rows, { silentIsDelivered: true }).said).toEqual(ends)
  })
})
