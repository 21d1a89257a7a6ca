import { readWords, type Words } from './message-words.ts'

/** Who keeps the shop's mobile-money wallet; `Other` for a message whose writer is not known. */
export const MOMO_NETWORKS = ['MTN', 'Telecel', 'AirtelTigo', 'GhanaPay', 'Other'] as const
export type MomoNetwork = (typeof MOMO_NETWORKS)[number]

/** Names under which the networks send their messages. */
export const SENDER_IDS: Record<MomoNetwork, readonly string[]> = {
  MTN: ['MobileMoney'],
  Telecel: ['T-CASH', 'VodaCash'],
  AirtelTigo: ['ATMoney', 'AirtelMoney', 'AT Money'],
  GhanaPay: ['GhanaPay'],
  Other: [],
}

/** Why a message adds nothing to a wallet. */
export const NOT_COUNTED_KINDS = [
  'fake',
  'counted',
  'repeated',
  'money-out',
  'failed',
  'airtime',
  'refund',
  'interest',
  'reversal',
  'other',
] as const
export type NotCountedKind = (typeof NOT_COUNTED_KINDS)[number]

/**
 * How one kind of message begins or reads. `kind` is `credit` for money that came in. A pattern may name `amount`, `payer`, `agent`
 * (who took the cash of a deposit), `phone`, `reference`, `id`, `balance`, `date` and `time`; in it `MONEY` stands for an amount and
 * `RECEIVED` for "on 2026-01-07 at 11:02:51".
 */
export type MessageFormat = {
  network: MomoNetwork | null
  name: string
  kind: 'credit' | Exclude<NotCountedKind, 'counted' | 'repeated'>
  pattern: string
  /** Of a form that somebody wrote down, in the place of the pattern. */
  words?: Words
  /** False while no genuine message of this form was seen: it is shown, and never approved together with others. */
  sure?: false
  /** Names under which such messages come, besides the network's known ones. */
  senders?: readonly string[]
  /** For what is not counted: a sentence for the owner. */
  says?: string
}

const MONEY = String.raw`GHS ?(?:\d[\d,]*(?:\.\d{1,2})?)`
const WHEN = String.raw`on (?<date>\d{4}-\d\d-\d\d) at (?<time>\d\d:\d\d:\d\d)`
const MTN_BALANCE = String.raw`Current Balance:? ?(?<balance>MONEY) ?\.? ?(?:Available Balance:? ?MONEY ?\.?)?`
const MTN_ID = String.raw`(?:Transaction )?ID: ?(?<id>\d{10,12})(?![\dA-Z])`
const TELECEL_END = String.raw`\. Your (?:(?:new )?(?:Telecel|Vodafone) Cash )?balance is (?<balance>MONEY)\.?(?:\s+Ref(?:erence)?: ?(?<reference>[^\n]*?)\.?(?=\s*(?:\n|Stay alert|$)))?`
const GREETING = String.raw`(?:(?:Dear customer|Hello|Hi|Y['’]ello|\d{16} Confirmed|Trans(?:action)? ID:? ?[\w.]+)[,.!]? )?`

const CREDITS: readonly [MomoNetwork, name: string, pattern: string][] = [
  [
    'MTN',
    'payment received',
    String.raw`^Payment received for (?<amount>MONEY) from (?<payer>.+?) ?\.? ?(?:${MTN_BALANCE} ?)?\.? ?Reference: ?(?<reference>[\s\S]*)\. ${MTN_ID}`,
  ],
  ['MTN', 'cash in', String.raw`^Cash In received for (?<amount>MONEY) from (?<agent>.+?) ?\.? ?${MTN_BALANCE} ?${MTN_ID}`],
  [
    'Telecel',
    'received from Telecel Cash',
    String.raw`^(?<id>\d{16}) Confirmed\. You have received (?<amount>MONEY) from (?<phone>\d{10,12}) ?- ?(?<payer>.+?) ${WHEN}${TELECEL_END}`,
  ],
  [
    'Telecel',
    'received from another network',
    String.raw`^(?<id>\d{16}) Confirmed\. You have received (?<amount>MONEY) from [A-Z][A-Z ]+ with transaction reference: Transfer From: (?<phone>\d{10,12})-(?<payer>.+?) ${WHEN}${TELECEL_END}`,
  ],
  [
    'Telecel',
    'received without a number',
    String.raw`^(?<id>\d{16}) Confirmed\. You have received (?<amount>MONEY)(?: as payment)? from (?<payer>(?!\d)[^:]+?)(?: on TELECEL CASH)? ${WHEN}${TELECEL_END}`,
  ],
  [
    'Telecel',
    'deposit',
    String.raw`^(?<id>\d{16}) Confirmed\. ${WHEN.replace('on', 'On')}, a deposit of (?<amount>MONEY) was made to your account from (?<agent>.+?) ?\. Your balance is (?<balance>MONEY)`,
  ],
  [
    'GhanaPay',
    'received',
    String.raw`^You have received (?<amount>MONEY) from: (?<payer>.+?) ?\. Ref: (?<reference>[\s\S]*) ?\. Transaction ID: (?<id>\d{12})\. Balance: (?<balance>MONEY)`,
  ],
]

const NOT_COUNTED: readonly [
  MomoNetwork | null,
  name: string,
  kind: Exclude<MessageFormat['kind'], 'credit'>,
  pattern: string,
  says: string,
][] = [
  [null, 'sold cash', 'fake', String.raw`^Cash In\s+for\b`, 'The networks don’t write “Cash In for”.'],
  [null, 'misspelt', 'fake', String.raw`\bAvaliable\b|\bbalan\b`, 'Misspelt: the networks’ messages aren’t.'],
  [null, 'threat', 'fake', String.raw`\baccount (?:is|has been) susp[eé]nd`, 'The networks don’t block an account by SMS.'],
  [
    null,
    'reversal by SMS',
    'reversal',
    String.raw`^(?:\d{16} Confirmed\. )?Reversal of\b`,
    'It says that money was taken back. Check your balance on the phone before you act on it.',
  ],
  [
    'MTN',
    'payment failed',
    'failed',
    '^(?:Your payment of|Payment for) ?MONEY to [^.]+ (?:has )?failed',
    'A payment of yours that failed.',
  ],
  ['MTN', 'payment made', 'money-out', '^Payment made for MONEY to', 'A payment of yours.'],
  ['MTN', 'bill', 'money-out', '^Payment for ?MONEY to', 'A bundle, bill or loan that you paid.'],
  ['MTN', 'payment completed', 'money-out', '^Your payment of MONEY to .+ has been completed', 'A payment of yours.'],
  [
    'MTN',
    'never arrived',
    'failed',
    'failed to send MONEY to your account',
    'This money never arrived. The sender’s network gives it back.',
  ],
  ['MTN', 'cash out', 'money-out', '^Cash Out made for ?MONEY', 'A cash out of yours.'],
  ['MTN', 'transfer', 'money-out', '^You have transferred MONEY', 'A transfer of yours.'],
  ['MTN', 'paid a merchant', 'money-out', String.raw`^(?:Y['’]ello\. )?You have paid MONEY to`, 'A merchant that you paid.'],
  ['MTN', 'refund', 'refund', 'has successfully refunded MONEY to your', 'Money that came back to you from a purchase of yours.'],
  [
    null,
    'not completed',
    'failed',
    '^Transaction failed\\b|^(?:A |Your |The )?payment of MONEY .*could not be completed',
    'A payment that failed.',
  ],
  ['Telecel', 'failed', 'failed', String.raw`^Failed\. Your`, 'A transfer of yours that failed.'],
  [
    'Telecel',
    'sent',
    'money-out',
    String.raw`^\d{16} Confirmed\. (?:MONEY (?:sent|paid) to|You have (?:withdrawn|transferred)|You bought)`,
    'Money that you sent, paid or withdrew.',
  ],
  ['Telecel', 'bundle', 'money-out', String.raw`^\d{16} Confirmed\. Your bundle purchase request of MONEY`, 'A bundle that you bought.'],
  ['Telecel', 'loan paid', 'money-out', String.raw`^\d{16} Confirmed\. You have paid (?:your )?MONEY`, 'A loan or bill that you paid.'],
  ['Telecel', 'balance', 'other', String.raw`^\d{16} Confirmed\. Your (?:[a-z]+ ){0,3}balance is MONEY`, 'Your balance, not a payment.'],
  ['Telecel', 'airtime', 'airtime', 'You have received airtime of MONEY', 'Airtime, not money.'],
  [null, 'interest', 'interest', 'you have received MONEY as interest', 'Interest on your own balance.'],
  ['Telecel', 'interest', 'interest', 'received MONEY from .+ as interest', 'Interest on your own balance.'],
  [null, 'code', 'other', String.raw`^Enter code \d+ to pay`, 'A code to pay with. Don’t share it.'],
  [
    null,
    'loan',
    'other',
    String.raw`received (?:a )?MONEY (?:[a-z]+ ){0,2}[a-z]*Loan|^${GREETING}Your (?:[a-z]+ ){0,2}[a-z]*Loan\b`,
    'A loan of yours.',
  ],
  [
    null,
    'reversed',
    'reversal',
    String.raw`^${GREETING}(?:Your|The|A) [^.:\n]*?(?:MONEY[^.:\n]*?)?\b(?:has been|was|is) (?:successfully )?(?:reversed|rolled back)`,
    'It says that money was taken back. Check your balance on the phone before you act on it.',
  ],
  [
    null,
    'money out',
    'money-out',
    `^${GREETING}You (?:have |ha[sd] )?(?:successfully )?(?:sent|paid|transferred|withdrawn|withdrew|bought|purchased) (?:your )?MONEY`,
    'Money that you sent, paid or withdrew.',
  ],
  [
    null,
    'taken',
    'money-out',
    `^${GREETING}(?:You have been debited(?: with)? MONEY|MONEY (?:was|has been) (?:deducted|debited))`,
    'Money that was taken from your wallet.',
  ],
  [
    null,
    'asked for',
    'other',
    `^${GREETING}(?:A request of MONEY|[^.:\\n]{1,60} (?:has requested|is requesting|will receive) MONEY|You will receive MONEY)`,
    'Money that somebody asks for or promises, not a payment.',
  ],
  [
    null,
    'bundle',
    'other',
    String.raw`^${GREETING}(?:You (?:have |ha[sd] )?(?:successfully )?(?:bought|purchased|activated|received|been credited with)|Your) (?:[\w.]+ ){0,4}?(?:\d[\d.]* ?[MG]B|bundle|data|minutes)\b`,
    'A bundle, not money.',
  ],
  [
    null,
    'balance',
    'other',
    `^${GREETING}(?:Your (?:[a-z]+ ){0,4}balance(?: is)?|(?:Current|Available) balance):? ?MONEY`,
    'Your balance, not a payment.',
  ],
]

/**
 * The forms of messages, the first that fits counts. From messages on receiving phones in 2026; no genuine one of AirtelTigo was
 * found, so its form is a guess. The reference is greedy up to the last id: what the payer types cannot pose as the network's id.
 */
export const MESSAGE_FORMATS: readonly MessageFormat[] = [
  ...CREDITS.map(([network, name, pattern]) => ({ network, name, kind: 'credit' as const, pattern })),
  ...NOT_COUNTED.map(([network, name, kind, pattern, says]) => ({ network, name, kind, pattern, says })),
  {
    network: 'AirtelTigo',
    name: 'received',
    kind: 'credit',
    sure: false,
    pattern: String.raw`^(?:Dear customer, )?(?:You have )?received (?<amount>MONEY) from (?<payer>[^.:\n]{1,60}?)\.? (?:Ref(?:erence)?: ?(?<reference>[^:\n]*?)\.? )?Trans(?:action)?\.? ID:? ?(?<id>(?=[A-Z.]*\d)[A-Z0-9][A-Z0-9.]{4,28}[A-Z0-9])`,
  },
]

/** The expression of a format that came with the shop, with what `MONEY` stands for. */
export function compileFormat({ pattern }: Pick<MessageFormat, 'pattern'>): RegExp {
  return new RegExp(pattern.replaceAll('MONEY', MONEY), 'i')
}

/**
 * The form of a credit as a shop wrote it down from a genuine message: "MTN: You got {amount} from {payer}. ID: {id}". Null
 * when it names no network, amount or id, or a placeholder twice.
 */
export function readFormat(text: string): MessageFormat | null {
  const [, name, typed] = /^\s*(MTN|Telecel|AirtelTigo|GhanaPay)\s*:\s*(.+)$/s.exec(text) ?? []
  const network = MOMO_NETWORKS.find((one) => one === name)
  const words = readWords(typed ?? '', { isCredit: true })
  return network === undefined || typeof words === 'string'
    ? null
    : { network, name: 'as the shop wrote it down', kind: 'credit', pattern: '', words }
}
