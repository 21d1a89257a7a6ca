import { expect, test } from 'vitest'
import { type BulkShelf, checkLines, type Decision, decisionKey } from './bulk-lines.ts'
import { sumLines } from './sum-bulk-lines.ts'

const SHELF: BulkShelf = {
  MTN: [
    { productId: 'm', offer: '1GB', volumeMb: 1000, cedis: 4.7 },
    { productId: 'm', offer: '5GB', volumeMb: 5000, cedis: 23 },
    { productId: 'm', offer: '10GB', volumeMb: 10_000, cedis: 44 },
  ],
  Telecel: [{ productId: 't', offer: '5GB', volumeMb: 5000, cedis: 22.5 }],
  AirtelTigo: [],
}

test('a list is priced line by line, and its heading and empty lines are left out', () => {
  const lines = checkLines('Number,Size\n0244123456 1\n\n0205550118 5', SHELF)
  expect(lines.map(({ number, state, network, offer }) => [number, state, network, offer])).toEqual([
    [2, 'ready', 'MTN', '1GB'],
    [4, 'ready', 'Telecel', '5GB'],
  ])
  expect(sumLines(lines)).toMatchObject({ cedis: 27.2, doubtfulCedis: 0 })
})

test('the talk between the orders of a chat is left out, and what may change one is asked about once', () => {
  const said = (text: string) => `[23/11/2026, 08:14:03] Kofi: ${text}`
  const text = ['Good morning 🙏', '0244123456 1', 'I paid ¢20 at 8:20', 'make it 5'].map(said).join('\n')
  const lines = checkLines(text, SHELF)
  expect(lines.map(({ state }) => state)).toEqual(['skipped', 'doubtful', 'skipped', 'wrong'])
  expect(lines[1]?.why).toBe('Line 4 says “Kofi: make it 5”. Does it change this one?')
  expect(lines.map(({ holdsUp }) => holdsUp ?? false)).toEqual([false, false, false, true])
  const answered = checkLines(text, SHELF, [], new Map([[decisionKey(4, said('make it 5')), { skip: true }]]))
  expect(answered.map(({ state }) => state)).toEqual(['skipped', 'ready', 'skipped', 'skipped'])
})

test('a repeated number and one whose order is on its way are asked about, and nothing is paid for until then', () => {
  const text = '0244123456 1\n0244123456 1\n0244123456 5\n0551234567 1'
  const inFlight = [{ receiver: '0551234567', offer: '1GB', network: 'MTN', number: '10318', delivered: false, at: '09:41' }]
  const lines = checkLines(text, SHELF, inFlight)
  expect(lines.map(({ why }) => why)).toEqual([
    '',
    'Same number and size as line 1. Sent once unless you say so.',
    'Line 1 already sends 1GB to this number.',
    '1GB to this number since 09:41, still pending (order 10318).',
  ])
  expect(sumLines(lines)).toMatchObject({ cedis: 4.7, doubtfulCedis: 32.4 })
  const decided = new Map<string, Decision>(
    lines.slice(1).map(({ number, text, choices }) => [decisionKey(number, text), choices[0]?.decision ?? {}]),
  )
  expect(checkLines(text, SHELF, inFlight, decided).map(({ state }) => state)).toEqual(['ready', 'ready', 'ready', 'ready'])
})

test('another network than the number’s is asked about, with what each costs', () => {
  const [line] = checkLines('MTN 0205550118 5GB', SHELF)
  expect(line).toMatchObject({ state: 'doubtful', why: 'You say MTN, but 020 is a Telecel number.' })
  expect(line?.choices.map(({ label, cedis }) => [label, cedis])).toEqual([
    ['Telecel', 22.5],
    ['MTN', 23],
  ])
})

test('a size that is not sold offers the nearest two', () => {
  const [line] = checkLines('0555550187 7', SHELF)
  expect(line).toMatchObject({ state: 'wrong', why: 'MTN has no 7GB. The nearest:' })
  expect(line?.choices.map(({ label }) => label)).toEqual(['5GB', '10GB'])
})

test('of five thousand lines each is compared with the first one of its number', () => {
  const text = Array.from({ length: 5000 }, (_, index) => `${`0244${String(index % 2500).padStart(6, '0')}`} 1`).join('\n')
  const lines = checkLines(text, SHELF)
  expect(lines.filter(({ state }) => state === 'ready')).toHaveLength(2500)
  expect(lines.filter(({ state }) => state === 'doubtful')).toHaveLength(2500)
})

test('a word in capitals that nobody knows is asked about where it stands on many lines, and is a name on a few', () => {
  const list = (names: readonly string[]) => checkLines(names.map((name, at) => `024412340${at} 5GB ${name}`).join('\n'), SHELF)
  const asked = list(['Backlog', 'Esi', 'Backlog Ama', 'Serwaa', 'BACKLOG', 'Backlog'])
  expect(asked.map(({ state }) => state)).toEqual(['doubtful', 'ready', 'doubtful', 'ready', 'doubtful', 'doubtful'])
  expect(asked[0]?.why).toBe('Is “Backlog” a name?')
  expect(list(['Serwaa', 'Serwaa', 'Mensah', 'Mensah', 'Mensah', 'Esi']).every(({ state }) => state === 'ready')).toBe(true)
})
