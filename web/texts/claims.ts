import type { Claim } from '../../shared/claims.ts'

/** Finding a payment by its transaction ID. Amounts are texts such as "¢48.00". */
export const claimTexts = {
  why: 'Sent the money without the reference? Type the transaction ID from your payment message, and we’ll look for it.',
  id: 'Transaction ID',
  idHint: 'The long number after “Transaction ID” or “Financial Transaction Id”. On Telecel: the first number in the message.',
  notAnId: 'That is not a transaction ID: it has 8 to 20 digits.',
  hasLetters: 'It has letters',
  find: 'Find my payment',
  looking: 'We’re looking for it. You don’t need to stay on this page.',
  found: (sum: string) => `${sum} is in your wallet.`,
  list: 'Payments we look for',
  couldNotLoad: 'The payments we’re looking for',
  states: {
    checking: 'Checking. A few seconds if all is clear; otherwise we look at it by hand in work hours.',
    credited: 'In your wallet.',
    taken: 'This payment is in another account already. Is the ID right? If so, write to us.',
    expired: 'No such payment came. Check the ID and the number that you sent to, or write to us.',
  } satisfies Record<Claim['state'], string>,
}
