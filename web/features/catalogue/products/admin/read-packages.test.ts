import { describe, expect, test } from 'vitest'
import {
  blankPackage,
  concernsAbout,
  dearerForAgents,
  draftOf,
  mergePackages,
  moveLine,
  parsePackages,
  readPackages,
} from './read-packages.ts'

describe('pasted lines', () => {
  test('are read with commas, semicolons or tabs between the parts', () => {
    const wanted = [{ offer: '1GB', priceCustomer: 5.5, priceAgent: 4.7 }]
    for (const text of ['1GB, 5.50, 4.70', '1GB;5.5;4.7', '1GB\t5.50\t4.70', '  1GB ,GHS 5.50, ¢4.70  ', '1GB,GH¢5.50,₵4.70']) {
      expect(parsePackages(text)).toEqual({ packages: wanted, problems: [] })
    }
  })

  test.each<[string, string, number, number]>([
    ['1GB 6.00 5.20', '1GB', 6, 5.2],
    ['1GB\u00a06.00\u00a05.20', '1GB', 6, 5.2],
    ['1.5 GB   6 5', '1.5 GB', 6, 5],
    ['MashUp GHS 5 6.00 5.20', 'MashUp GHS 5', 6, 5.2],
    ['1GB GHS 6.00 GHS 5.20', '1GB', 6, 5.2],
    ['1GB ¢6.00 ₵5.20', '1GB', 6, 5.2],
    ['1GB: 6.00, 5.20', '1GB', 6, 5.2],
    ['1GB | 6.00 | 5.20', '1GB', 6, 5.2],
    ['100GB 1,234.50 1,100.00', '100GB', 1234.5, 1100],
    ['100GB, 1,234.50, 1,100.00', '100GB', 1234.5, 1100],
    ['1GB 5,50 4,70', '1GB', 5.5, 4.7],
    ['1GB;5,50;4,7', '1GB', 5.5, 4.7],
    ['100GB\t1,234.50\t¢1,100.00', '100GB', 1234.5, 1100],
    ['1,000 Mins 6.00 5.20', '1,000 Mins', 6, 5.2],
  ])('"%s" is %s for %d and %d', (text, offer, priceCustomer, priceAgent) => {
    expect(parsePackages(text)).toEqual({ packages: [{ offer, priceCustomer, priceAgent }], problems: [] })
  })

  test('with an agent price above the customer price are to be asked about', () => {
    const { packages } = parsePackages('1GB 5.20 6.00\n2GB 10 10\n3GB 15 14')
    expect(dearerForAgents(packages).map(({ offer }) => offer)).toEqual(['1GB'])
  })

  test('may end in any way and leave lines empty', () => {
    const { packages, problems } = parsePackages('\r\n1GB,5,4\r\n\r\n2GB,10,9\r3GB,15,14\n')
    expect(packages.map((line) => line.offer)).toEqual(['1GB', '2GB', '3GB'])
    expect(problems).toEqual([])
  })

  test.each([
    ['1GB, five, 4', 'Price must be a number'],
    ['1GB, 5, 4x', 'Price must be a number'],
    ['1GB, 1e3, 4', 'Price must be a number'],
    ['1GB, -5, 4', 'A price must be more than zero.'],
    ['1GB, 0, 4', 'A price must be more than zero.'],
    ['1GB, 5.5555, 4', 'Price must be a number'],
    ['1GB, 5.555, 4', 'Is that ¢5,555.00?'],
    ['100GB\t1,234\t1.100', 'Is that ¢1,234.00?'],
    [', 5, 4', 'Name the offer.'],
    [`${'x'.repeat(61)}, 5, 4`, 'An offer has at most 60 characters.'],
    ['1GB 5', 'Write the offer, the customer price and the agent price, like 1GB, 6.00, 5.20.'],
    ['6.00 5.20', 'Write the offer, the customer price and the agent price, like 1GB, 6.00, 5.20.'],
    ['1GB -5 4', 'Write the offer, the customer price and the agent price, like 1GB, 6.00, 5.20.'],
    ['1GB - 5 4', 'Write the offer, the customer price and the agent price, like 1GB, 6.00, 5.20.'],
    ['1GB 6.00 5.20 now', 'Write the offer, the customer price and the agent price, like 1GB, 6.00, 5.20.'],
    ['1GB 6.oo 5.20', 'Price must be a number'],
    ['1GB 1,00.50 5.20', 'Price must be a number'],
  ])('"%s" is refused: %s', (text, message) => {
    expect(parsePackages(`3GB,15,14\n${text}`)).toEqual({
      packages: [{ offer: '3GB', priceCustomer: 15, priceAgent: 14 }],
      problems: [{ line: 2, text, message }],
    })
  })

  test('that repeat an offer are refused', () => {
    expect(parsePackages('1GB,5,4\n1gb,6,5').problems).toEqual([{ line: 2, text: '1gb,6,5', message: 'This offer is listed twice.' }])
  })

  test('change the prices of existing offers and add the others below', () => {
    const first = draftOf({ offer: '1GB', priceCustomer: 5, priceAgent: 4 })
    const merged = mergePackages(
      [first, blankPackage()],
      [
        { offer: '2GB', priceCustomer: 10, priceAgent: 9 },
        { offer: '1gb', priceCustomer: 6, priceAgent: 5 },
      ],
    )
    expect(merged[0]).toEqual({ key: first.key, offer: '1GB', priceCustomer: '6.00', priceAgent: '5.00' })
    expect(merged.map((line) => line.offer)).toEqual(['1GB', '2GB'])
  })
})

describe('the packages of the form', () => {
  test('leave out blank lines', () => {
    expect(readPackages([blankPackage(), draftOf({ offer: ' 1GB ', priceCustomer: 5.5, priceAgent: 4 })])).toEqual({
      packages: [{ offer: '1GB', priceCustomer: 5.5, priceAgent: 4 }],
      problems: new Map(),
    })
  })

  test('say what is wrong beside the line', () => {
    const draft = { ...blankPackage(), offer: '1GB', priceCustomer: 'abc', priceAgent: '' }
    const { packages, problems } = readPackages([draft])
    expect(packages).toEqual([])
    expect(problems.get(draft.key)).toEqual({ priceCustomer: 'Price must be a number', priceAgent: 'Price must be a number' })
  })

  test('name each offer once', () => {
    const second = draftOf({ offer: '1gb', priceCustomer: 5, priceAgent: 4 })
    const { problems } = readPackages([draftOf({ offer: '1GB', priceCustomer: 5, priceAgent: 4 }), second])
    expect(problems.get(second.key)).toEqual({ offer: 'This offer is listed twice.' })
  })
})

test('a line moves by one place and stays at the ends', () => {
  expect(moveLine(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c'])
  expect(moveLine(['a', 'b', 'c'], 1, 1)).toEqual(['a', 'c', 'b'])
  expect(moveLine(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
  expect(moveLine(['a', 'b'], 1, 1)).toEqual(['a', 'b'])
})

describe('prices that are seldom meant', () => {
  const line = (offer: string, priceCustomer: number, priceAgent: number) => ({ offer, priceCustomer, priceAgent })
  const before = [line('1GB', 5, 4.5), line('2GB', 10, 9)]
  const about = (...after: ReturnType<typeof line>[]) => concernsAbout(before, after, new Map([['2GB', 8.5]])).map(({ text }) => text)

  test('a price that falls by more than a third is asked about', () => {
    expect(about(line('1GB', 0.6, 4.5))).toEqual(['customers pay ¢0.60 instead of ¢5.00', 'agents pay ¢4.50, customers ¢0.60'])
    expect(about(line('1GB', 3.34, 3))).toEqual([])
    expect(about(line('1GB', 3.33, 2.99))).toEqual(['customers pay ¢3.33 instead of ¢5.00', 'agents pay ¢2.99 instead of ¢4.50'])
  })

  test('a price that falls under its cost is asked about, and a new package’s', () => {
    expect(about(line('2GB', 9, 8.4))).toEqual(['agents pay ¢8.40, below its cost of ¢8.50'])
    expect(about(line('2GB', 10, 9))).toEqual([])
    expect(concernsAbout([], [line('2GB', 8, 8)], new Map([['2GB', 8.5]]))).toHaveLength(2)
  })

  test('a price that stays or rises is not', () => {
    expect(about(...before, line('5GB', 20, 19))).toEqual([])
    expect(about(line('1GB', 50, 45))).toEqual([])
  })
})
