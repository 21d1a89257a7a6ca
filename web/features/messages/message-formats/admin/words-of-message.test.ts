import { expect, test } from 'vitest'
import { wordsOfMessage } from './words-of-message.ts'

test.each([
  [
    'You got GHS 50.00 from AMA SAMPLE. Note: rent. Transaction ID: 51234567890. You now have GHS 1,150.00. Thank you.',
    'You got {amount} from {payer}. Note: {reference}. Transaction ID: {id}. You now have {balance}',
  ],
  [
    'You have received GHS 20.00 from KOFI (0261234567). Reference: 96397268. Trans. ID: PP260101.1234.C00001. Bye',
    'You have received {amount} from {payer} (0261234567). Reference: {reference}. Trans. ID: {id}',
  ],
  ['Hello, no money here', 'Hello, no money here'],
])('%s', (message, words) => {
  expect(wordsOfMessage(message)).toBe(words)
})
