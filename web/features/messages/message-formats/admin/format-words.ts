import type { ShownFormat, Understood } from '../../../../../shared/message-format-endpoints.ts'

/** What a message of each kind is about. */
export const KIND_WORDS: Record<Understood['kind'], string> = {
  credit: 'Money that came in',
  'money-out': 'Money that went out',
  failed: 'A payment that failed',
  airtime: 'Airtime, not money',
  refund: 'Money back from a purchase',
  interest: 'Interest',
  other: 'Not a payment',
  fake: 'A fake',
  reversal: 'Money taken back',
  counted: 'Counted before',
  repeated: 'Twice',
}

export const ORIGIN_WORDS: Record<ShownFormat['origin'], string> = {
  'built-in': 'Came with the shop',
  changed: 'Changed by you',
  own: 'Your own',
  server: 'Set by your technician',
}
