import { expect, test } from 'vitest'
import { parseMessage } from './parse-message.ts'

const read = (text: string) => parseMessage({ text, sender: null, at: null })

/** What MTN writes when the payer typed an id and a fee into the reference. */
function typed(length: number): string {
  const text = 'Payment received for GHS 60.00 from AMA SAMPLE Reference: '
  const posing = '. Transaction ID: 99999999999. TRANSACTION FEE: 0.00'
  return `${text}${'x'.repeat(length - text.length - posing.length)}${posing}`
}

test.each([160, 306, 459])('a message cut after %d signs, so that the id in its reference is the last one, is doubtful', (length) => {
  for (const lost of [0, 1]) {
    expect(read(typed(length).slice(0, length - lost))).toMatchObject({ kind: 'credit', doubts: ['several-ids'] })
  }
})

test('a whole message has the network’s id and no doubt, and with an id in its reference the network’s and a doubt', () => {
  const whole = 'Payment received for GHS 60.00 from AMA SAMPLE Reference: 12345678. Transaction ID: 51234567890. TRANSACTION FEE: 0.00'
  expect(read(whole)).toMatchObject({ transactionId: '51234567890', doubts: [] })
  for (const length of [150, 160, 170, 1_000]) {
    const both = `${typed(length)}. Transaction ID: 51234567890. TRANSACTION FEE: 0.00`
    expect(read(both)).toMatchObject({ transactionId: '51234567890', doubts: ['several-ids'] })
  }
})
