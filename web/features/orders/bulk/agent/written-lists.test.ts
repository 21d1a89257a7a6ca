import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { toOwnLines } from '../../../../../shared/bulk-line.ts'
import { type BulkShelf, checkLines } from '../../../../../shared/bulk-lines.ts'

const offers = (productId: string) =>
  [500, 1000, 1500, 2000, 2500, 5000, 10_000, 20_000, 30_000].map((volumeMb) => ({
    productId,
    offer: volumeMb < 1000 ? `${volumeMb}MB` : `${volumeMb / 1000}GB`,
    volumeMb,
    cedis: volumeMb / 200,
  }))
const SHELF: BulkShelf = { MTN: offers('m'), Telecel: offers('t'), AirtelTigo: offers('a') }

const fixture = (name: string) => readFileSync(new URL(`../../../../../test/fixtures/cases/${name}`, import.meta.url))

/** What each line of a list buys, or that it is asked about. */
function bought(text: string): string[] {
  return checkLines(text, SHELF).map(({ state, item, receiver }) =>
    state === 'ready' ? `${receiver} ${item?.offer}` : state === 'skipped' ? 'left out' : 'asked',
  )
}

test('a pasted column of money is no column of sizes', () => {
  const file = fixture('list-amount-column.csv')
  expect(bought(file.toString())).toEqual(['asked', 'asked'])
  expect(bought(file.toString().replaceAll(',', '\t'))).toEqual(['asked', 'asked'])
})

test('a size is of the number above it, or of those below where the sizes come first', () => {
  expect(bought('0244100001\n5gb\n0551234567\n2GB')).toEqual(['0244100001 5GB', '0551234567 2GB'])
  expect(checkLines('0244100001\n5gb', SHELF)).toMatchObject([{ number: 1, text: '0244100001 5gb' }])
  expect(bought('5gb\n0244100001\n2GB\n0551234567')).toEqual(['0244100001 5GB', '0551234567 2GB'])
  expect(bought('0244100001 1\n5gb')).toEqual(['asked', 'asked'])
})

test('1024MB is a question where only 1GB is sold', () => {
  expect(checkLines('0244100001 1024MB', SHELF)).toMatchObject([
    { state: 'wrong', why: 'MTN has no 1024MB. Do you mean 1GB?', choices: [{ label: '1GB', cedis: 5 }] },
  ])
})

test('a line with more than one order becomes as many lines', () => {
  const splits = ['0244123456 5gb 0551234567 2gb', '5gb 0244123456 2gb 0551234567', '0244123456 5gb x2', '0244123456 5gb x99'].map(
    (line) => checkLines(line, SHELF)[0]?.split,
  )
  expect(splits).toEqual([
    ['0244123456 5gb', '0551234567 2gb'],
    ['5gb 0244123456', '2gb 0551234567'],
    ['0244123456 5gb', '0244123456 5gb'],
    undefined,
  ])
})

test('orders that share a pasted line each get their own, where nothing else is said', () => {
  expect(toOwnLines('Good morning\n0244123456 - 5GB, 0551234567 - 10GB\n5gb to 0244123456; 2gb to 0551234567')).toBe(
    'Good morning\n0244123456 5GB\n0551234567 10GB\n5gb to 0244123456\n2gb to 0551234567',
  )
  expect(toOwnLines('0244123456, 055 123 4567 five gig each')).toBe('0244123456 5 gig\n0551234567 5 gig')
  const asked = [
    '0244123456 0551234567 5gb',
    '0244123456 5 0551234567 2',
    'Ama 0244123456 5gb Kofi 0551234567 2gb',
    "0244123456 5gb, don't send 0551234567 2gb",
    '0244123456 5gb x2',
    '0244123456 0551234567 5gb 2gb each',
  ].join('\n')
  expect(toOwnLines(asked)).toBe(asked)
})

test('rows of two tables side by side, pasted or written, lose neither', () => {
  const table = 'Phone,GB,,Phone,GB\n0244100001,5,,0551234567,2\n0244100002,1,,,'
  expect(checkLines(table, SHELF).map(({ split, offer }) => split ?? offer)).toEqual([['0244100001 5GB', '0551234567 2GB'], '1GB'])
})

/** As customers, agents, owners and distributors write them; null where a person has to be asked. */
const WRITTEN: [line: string, buys: string | null][] = [
  ['0244123456 1,5GB', '1.5GB'],
  ['0244123456 1,5', '1.5GB'],
  ['1.5 gb for 0244123456', '1.5GB'],
  ['0244123456=2gb', '2GB'],
  ['0244123456 ➡️ 2gb', '2GB'],
  ['0244123456 - 10gig', '10GB'],
  ['0244123456-10GB', '10GB'],
  ['024 412 3456 / 5gb', '5GB'],
  ['+233244123456 5 GB MTN', '5GB'],
  ['233 24 412 3456 : 500mb', '500MB'],
  ['00233244123456 5', '5GB'],
  ['244123456 5gb', '5GB'],
  ['(024) 412-3456 5gb', '5GB'],
  ['Kwame Asare 0244123456 2GB', '2GB'],
  ['2GB Auntie Esi 0244123456', '2GB'],
  ['No: 0244123456 5gb', '5GB'],
  ['Please send 5gb to 0244123456 thanks', '5GB'],
  ['pls 0244123456 1gb 🙏🏾', '1GB'],
  ['*0244123456* _5gb_', '5GB'],
  ['"0244123456";"5GB"', '5GB'],
  ['3) 0244123456 20GB', '20GB'],
  ['3. 0244123456 20gb', '20GB'],
  ['0244123456 0.5GB', '500MB'],
  ['0244123456 .5gb', '500MB'],
  ['0244123456 2,000MB', '2GB'],
  ['0244123456 5000 mb', '5GB'],
  ['0244123456 5G', '5GB'],
  ['0244123456 GHS 23 5GB', '5GB'],
  ['0244123456 5GB ¢23.00', '5GB'],
  ['0244123456 5GB @ 23 cedis', '5GB'],
  ['0244123456 5GB 23.00', '5GB'],
  ['[23/11/2026, 08:14:03] Kofi: 0244123456 5gb', '5GB'],
  ['12/11/26, 09:41 - Ama: 0244123456 2', '2GB'],
  ['𝟬𝟮𝟰𝟰𝟭𝟮𝟯𝟰𝟱𝟲 𝟱𝗚𝗕', '5GB'],
  ['0244123456 5️⃣GB', '5GB'],
  ['0244123456.0 10.0', '10GB'],
  ['2.33244123456E+11 5', '5GB'],
  ['0244123456 0244123456 5gb', '5GB'],
  ...[
    '0244123456 1/2 gb',
    '0244123456 half gb',
    '0244123456 ½GB',
    '0244123456 2½gb',
    '0244123456 1 .5 gb',
    '0244123456 1. 5gb',
    '0244123456 1,500GB',
    '0244123456 5-10gb',
    '0244123456 5 or 10gb',
    '0244123456 5gb+2gb',
    '0244123456 5gb + 2gb',
    '0244123456 5gb and 2gb',
    '0244123456 5gb bonus 1gb',
    '0244123456 5gb x2',
    '0244123456 5gb x 2',
    '0244123456 5gb *2',
    '0244123456 5gb 2x',
    '0244123456 2 5gb',
    '0244123456 5gb 2',
    '2 x 5gb 0244123456',
    '0244123456 5gb twice',
    '0244123456 5gb 2 times',
    '0244123456 5gb qty: 2',
    '0244123456 5gb quantity 3',
    '0244123456 5gb 2pcs',
    '0244123456 two 5gb',
    '0244123456 double 5gb',
    '0244123456 5gb each',
    '0244123456 0551234567 5gb',
    '0244123456/0551234567 5gb',
    '0244123456 & 0551234567 5gb each',
    '0244123456 20 cedis',
    '0244123456 20ghs',
    '0244123456 ghs20',
    '0244123456 ¢20',
    '0244123456 20gh',
    '0244123456 20 Ghana cedis data',
    '0244123456 5 GHS 23',
    '0244123456 GHS 23 5',
    'airtime 0244123456 5',
    '0244123456 10 credit',
    '0244123456 5 cedis airtime',
    '0244123456 30 days',
    '0244123456 30days',
    '0244123456 2 weeks',
    '0244123456 1 month',
    '0244123456 100 minutes',
    '0244123456 5gb daily',
    '0244123456 5gb tomorrow',
    '0244123456 5gb later',
    '0244123456 5gb cancel',
    'CANCEL 0244123456 5gb',
    'cancelled 0244123456 5gb',
    "don't send 0244123456 5gb",
    'not 0244123456 5gb',
    'stop 0244123456 5gb',
    '0244123456 5gb not received',
    '0244123456 5gb done ✅',
    '0244123456 5gb sent',
    '0244123456 5gb already paid',
    '0244123456 5gb ❌',
    '~0244123456 5gb~',
    '0244123456 5gb refund',
    '0244123456 5gb wrong number',
    '0244123456 5gb?',
    'instead 0244123456 5gb',
    '0244123456 change to 5gb',
    '0244123456 5tb',
    '0244123456 10k',
    '0244123456 5²GB',
    '0244123456 ٥GB',
    '0244123456 1024 MB',
    '0244123456 1.5MB',
    '0244123456 0gb',
    '0244123456',
    '024412345 5gb',
    '02441234567 5gb',
    '0244l23456 5gb',
    '0302123456 5gb',
    '2.33244E+11 5',
    'balance 0244123456 5',
    '0244123456 7gb',
    '0205123456 MTN 5gb',
  ].map((line): [string, null] => [line, null]),
]

test('at least a hundred lines as people write them are tried', () => {
  expect(WRITTEN.length).toBeGreaterThan(120)
})

test.each(WRITTEN)('%s', (line, buys) => {
  expect(bought(line)).toEqual([buys === null ? 'asked' : `0244123456 ${buys}`])
})
