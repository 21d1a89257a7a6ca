import { describe, expect, test } from 'vitest'
import type { Network } from '../../../../../shared/networks.ts'
import { pick, randomFrom } from '../../../../../test/random.ts'
import { assignRoles, readPriceList, unnamedPrices } from './read-price-list.ts'

const MTN = ['500MB', '1GB', '1.5GB', '2GB', '5GB', '10GB', '100GB']

/** One line, as "offer: price, price" with the role where the list says it, or what is wrong with it. */
function read(text: string, network: Network = 'MTN', offers: readonly string[] = MTN): string[] {
  return readPriceList(text, network, offers).map(({ offer, prices, problem }) =>
    problem === undefined ? `${offer}: ${prices.map(({ role, pesewas }) => `${role ? `${role} ` : ''}${pesewas}`).join(', ')}` : problem,
  )
}

describe('a line of a list', () => {
  test.each([
    ['1GB - 5.50', '1GB: 550'],
    ['1GB-5.50', '1GB: 550'],
    ['1GB=5.50', '1GB: 550'],
    ['1gb:5.5', '1GB: 550'],
    ['2 GB = ¢11', '2GB: 1100'],
    ['2GB @ GHS 11.00', '2GB: 1100'],
    ['2GB GH₵11', '2GB: 1100'],
    ['2GB ₵ 11.00', '2GB: 1100'],
    ['2GB ghs11', '2GB: 1100'],
    ['2GB ghc 11', '2GB: 1100'],
    ['2GB 11 cedis', '2GB: 1100'],
    ['2GB for 11cedis only', '2GB: 1100'],
    ['2gig 11.20', '2GB: 1120'],
    ['2G ➖ 11', '2GB: 1100'],
    ['5GB 24,50', '5GB: 2450'],
    ['100GB 1,234.50', '100GB: 123450'],
    ['500MB - 3', '500MB: 300'],
    ['500 mb 3.00', '500MB: 300'],
    ['1000MB 5.50', '1GB: 550'],
    ['1.5GB 8', '1.5GB: 800'],
    ['1,5GB 8', '1.5GB: 800'],
    ['MTN 5GB 24.5/23', '5GB: 2450, 2300'],
    ['5GB 24.50 / 23.00', '5GB: 2450, 2300'],
    ['5GB - GHS 24.50 | GHS 23.00', '5GB: 2450, 2300'],
    ['5GB 24.50 23', '5GB: 2450, 2300'],
    ['5GB (30 days) 24.50', '5GB: 2450'],
    ['5GB 90days no expiry 24.50', '5GB: 2450'],
    ['🔥 *1GB* ➡️ *GHS 5.50* ✅', '1GB: 550'],
    ['👉🏽1GB👈🏽 5.50🇬🇭', '1GB: 550'],
    ['1️⃣ GB 5.50', '1GB: 550'],
    ['1. 1GB - 5.50', '1GB: 550'],
    ['2) 1.5GB 8', '1.5GB: 800'],
    ['• 1GB 5.50', '1GB: 550'],
    ['- 1GB 5.50', '1GB: 550'],
    ['[17:12, 21/11/2026] Kofi Data: 1GB 5.50', '1GB: 550'],
    ['¢5.50 1GB', '1GB: 550'],
    ['1GB customer 5.50 agent 4.70', '1GB: customer 550, agent 470'],
    ['1GB: agents 4.70, customers 5.50', '1GB: agent 470, customer 550'],
    ['1GB 5.50 retail 4.70 reseller', '1GB: customer 550, agent 470'],
    ['1GB cost 4.30', '1GB: cost 430'],
    ['1GB price 5.50', '1GB: 550'],
  ])('%j is read', (text, expected) => {
    expect(read(text)).toEqual([expected])
  })

  test.each([
    ['3GB 15', 'You have no package of 3GB.'],
    ['1024MB 5.50', 'You have no package of 1024MB.'],
    ['1GB', 'There is no price on this line.'],
    ['1GB free', 'There is no price on this line.'],
    ['1GB 5.505', 'Is that ¢5,505.00?'],
    ['1GB 5.5055', 'We can’t read the price.'],
    ['100GB 1,234', 'Is that ¢1,234.00?'],
    ['100GB 1,500', 'Is that ¢1,500.00 or ¢1.50?'],
    ['1GB 0', 'We can’t read the price.'],
    ['1GB was 6 now 5.50', 'We don’t know what “was” means here.'],
    ['1GB 10% off 5.50', 'We don’t know what “%” means here.'],
    ['1GB 5.50, 2GB 11', 'There are two volumes on this line. Write one package per line.'],
    ['1GB + 500MB 8', 'There are two volumes on this line. Write one package per line.'],
    ['Call 0244123456', 'There is no package of this name.'],
    ['Telecel 5GB 20', 'This is for Telecel.'],
    ['5GB Vodafone 20', 'This is for Telecel.'],
    ['AirtelTigo 1GB 4.80', 'This is for AirtelTigo.'],
    ['1GB agent 5.50 4.70', 'We can’t tell which price is which.'],
    ['1GB agent 5.50 agent 4.70', 'We can’t tell which price is which.'],
  ])('%j is not guessed at', (text, problem) => {
    expect(read(text)).toEqual([problem])
  })

  test('names a package without a volume as the shop does', () => {
    expect(read('Bece - 19\nWASSCE ¢21\nSHS 20', 'WAEC Checkers', ['BECE', 'WASSCE'])).toEqual([
      'BECE: 1900',
      'WASSCE: 2100',
      'There is no package of this name.',
    ])
    expect(read('Mashup ghs5 - 5.60\nmashup GHS 10: 10.80', 'MTN PULSE', ['MashUp GHS 5', 'MashUp GHS 10'])).toEqual([
      'MashUp GHS 5: 560',
      'MashUp GHS 10: 1080',
    ])
    expect(read('MTN GHS 10 9.90\nTelecel GHS 5 - 4.95', 'Airtime', ['MTN GHS 1', 'MTN GHS 10', 'Telecel GHS 5'])).toEqual([
      'MTN GHS 10: 990',
      'Telecel GHS 5: 495',
    ])
    expect(read('BECE 19.50/17\nWASSCE 12/11/10\nBECE 2026', 'WAEC Checkers', ['BECE', 'WASSCE'])).toEqual([
      'BECE is in the list more than once, at different prices.',
      'WASSCE: 1200, 1100, 1000',
      'BECE is in the list more than once, at different prices.',
    ])
    expect(read('MTN AFA registration ¢20', 'AFA', ['AFA registration'])).toEqual(['AFA registration: 2000'])
  })

  test('that fits two packages is asked about, unless it names one of them', () => {
    const two = ['5GB (30 days)', '5GB (7 days)']
    expect(read('5GB 20', 'MTN', two)).toEqual(['Which one? You have 5GB (30 days) and 5GB (7 days).'])
    expect(read('5GB (7 days) 18', 'MTN', two)).toEqual(['5GB (7 days): 1800'])
  })
})

describe('a list', () => {
  test('may have headings, dates, empty lines and decoration', () => {
    const list = '🔥🔥 MTN DATA BUNDLES 🔥🔥\nPrices from 21/11/2025\n\n1GB - 5.50\n━━━━━\n2GB - 11\n\nThank you!'
    expect(read(list)).toEqual(['1GB: 550', '2GB: 1100'])
  })

  const unclear = 'Does this change the prices below? Take the line out if it doesn’t.'
  const below = (text: string) => `“${text}” stands above this. Take that line out if it changes nothing.`
  test.each([
    [
      'MTN NIGHT\n1GB 2.00\nMTN weekly\n2GB 8\nMTN non-expiry\n5GB 22.1',
      [unclear, below('MTN NIGHT'), unclear, below('MTN weekly'), '5GB: 2210'],
    ],
    ['Sample only, do not use\n1GB 4.40', [unclear, below('Sample only, do not use')]],
    ['MTN\nOut of stock\n1GB 4.40', [unclear, below('Out of stock')]],
    ['MTN\nPrices from 1st January\n1GB 4.40', [unclear, below('Prices from 1st January')]],
    ['Effective 1st December\n1GB 4.40', [unclear, below('Effective 1st December')]],
    ['Prices from 01/01/2049\n1GB 4.40', [unclear, below('Prices from 01/01/2049')]],
    ['Price per 10 pieces\n1GB 44', ['There is no package of this name.', below('Price per 10 pieces')]],
    ['MTN\n1GB 4.50\nfoo', ['1GB: 450', unclear]],
    ['1GB 13.80 ➡️ 13.50\n2GB 13;20', ['Is that an old and a new price? Keep one of them.', 'Is “13;20” one price or two?']],
    [
      'AT iShare prices\n1GB 3.90\nMTN prices\n1GB 4.40\nOrder now on 0241234567\n2GB 8',
      ['This is for AirtelTigo.', '1GB: 440', 'There is no package of this name.', '2GB: 800'],
    ],
  ])('asks about a line that may change those below it: %j', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  test('of several networks is read for the one that is priced', () => {
    const list = '*MTN*\n1GB 5.50\n\n*TELECEL*\n5GB 24\n\n*MTN AGAIN*\n2GB 11'
    expect(read(list)).toEqual(['1GB: 550', 'This is for Telecel.', '2GB: 1100'])
  })

  test.each([
    ['Package\tCustomer\tAgent\n1GB\t5.50\t4.70\n2GB\t11\t9.80', ['1GB: customer 550, agent 470', '2GB: customer 1100, agent 980']],
    ['Data (GB)\tBuying\tSelling\n1\t4.30\t5.50\n10\tGHS 41.3\tGHS 48', ['1GB: cost 430, customer 550', '10GB: cost 4130, customer 4800']],
    ['Bundle;Price (GHS)\n1GB;5,50\n2GB;11,00', ['1GB: 550', '2GB: 1100']],
    ['Size,Reseller,Note\n1GB,4.70,new\n2GB,,', ['1GB: agent 470', 'There is no price on this line.']],
    ['1GB\t5.50\t4.70', ['1GB: 550, 470']],
    ['Package\tCustomer\n1GB\tsoon 5.50 or 6', ['“soon 5.50 or 6” is not a price.']],
    ['Package\tCustomer\n1GB bonus\t5.50', ['We don’t know a package called “1GB bonus”.']],
  ])('copied from a spreadsheet: %j', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  test('that has a package twice at different prices is asked about; the same price twice is no question', () => {
    const twice = '1GB is in the list more than once, at different prices.'
    expect(read('1GB 5.50\n2GB 11\n1GB 6')).toEqual([twice, '2GB: 1100', twice])
    expect(read('1GB 5.50\n1 gb = 5.5')).toEqual(['1GB: 550'])
  })

  test('numbers its lines as they were pasted', () => {
    expect(readPriceList('\n1GB 5.50\nwhat?\n9GB 1', 'MTN', MTN).map(({ line, text }) => [line, text])).toEqual([
      [2, '1GB 5.50'],
      [3, 'what?'],
      [4, '9GB 1'],
    ])
  })
})

describe('prices that the list does not name', () => {
  const lines = readPriceList('1GB 5.50 4.70\n2GB agent 9.80\n5GB 24\nnonsense 7', 'MTN', MTN)

  test('are what the admin says, in that order; what cannot be told is listed', () => {
    expect(unnamedPrices(lines)).toBe(2)
    const { prices, unread } = assignRoles(lines, ['customer', 'agent'])
    expect(Object.fromEntries(prices)).toEqual({ '1GB': { customer: 550, agent: 470 }, '2GB': { agent: 980 }, '5GB': { customer: 2400 } })
    expect(unread).toEqual([{ line: 4, text: 'nonsense 7', problem: 'There is no package of this name.' }])
  })

  test('are not taken when there are more than were explained', () => {
    const { prices, unread } = assignRoles(lines, ['cost'])
    expect([...prices.keys()]).toEqual(['2GB', '5GB'])
    expect(unread[0]).toEqual({ line: 1, text: '1GB 5.50 4.70', problem: '2 prices: say which is which.' })
  })
})

test('whatever is pasted, every line with a figure is either read or listed, and no price is made up', () => {
  const pieces = [
    '1GB',
    '2 gb',
    '9GB',
    '5.50',
    '¢11',
    'GHS 4',
    '/',
    '-',
    'agent',
    'cost',
    'MTN',
    'Telecel',
    '🔥',
    '\t',
    ' ',
    'x',
    '30 days',
    ',',
    '0.005',
    '*',
  ]
  const random = randomFrom(7)
  for (let round = 0; round < 3_000; round++) {
    const line = Array.from({ length: 1 + Math.floor(random() * 7) }, () => pick(pieces, random)).join(random() < 0.5 ? ' ' : '')
    const found = readPriceList(line, 'MTN', MTN)
    if (/\d/.test(line)) expect(found, line).toHaveLength(1)
    const digits = line.replaceAll(/\D/g, '')
    for (const { pesewas } of found[0]?.prices ?? []) expect(digits.includes(String(pesewas).replace(/0+$/, '')), line).toBe(true)
  }
})
