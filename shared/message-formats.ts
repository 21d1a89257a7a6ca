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

/**
 * The forms of messages, the first that fits counts. From messages on receiving phones in 2026; no genuine one of AirtelTigo was
 * found, so its form is a guess. The reference is greedy up to the last id: what the payer types cannot pose as the network's id.
 */
export const MESSAGE_FORMATS: readonly MessageFormat[] = [
  {
    network: 'MTN',
    name: 'payment received',
    kind: 'credit',
    pattern: String.raw`^Payment received for (?<amount>MONEY) from (?<payer>.+?) ?\.? ?(?:${MTN_BALANCE} ?)?\.? ?Reference: ?(?<reference>[\s\S]*)\. ${MTN_ID}`,
  },
  {
    network: 'MTN',
    name: 'cash in',
    kind: 'credit',
    pattern: String.raw`^Cash In received for (?<amount>MONEY) from (?<agent>.+?) ?\.? ?${MTN_BALANCE} ?${MTN_ID}`,
  },
  {
    network: 'Telecel',
    name: 'received from Telecel Cash',
    kind: 'credit',
    pattern: String.raw`^(?<id>\d{16}) Confirmed\. You have received (?<amount>MONEY) from (?<phone>\d{10,12}) ?- ?(?<payer>.+?) ${WHEN}${TELECEL_END}`,
  },
  {
    network: 'Telecel',
    name: 'received from another network',
    kind: 'credit',
    pattern: String.raw`^(?<id>\d{16}) Confirmed\. You have received (?<amount>MONEY) from [A-Z][A-Z ]+ with transaction reference: Transfer From: (?<phone>\d{10,12})-(?<payer>.+?) ${WHEN}${TELECEL_END}`,
  },
  {
    network: 'Telecel',
    name: 'received without a number',
    kind: 'credit',
    pattern: String.raw`^(?<id>\d{16}) Confirmed\. You have received (?<amount>MONEY)(?: as payment)? from (?<payer>(?!\d)[^:]+?)(?: on TELECEL CASH)? ${WHEN}${TELECEL_END}`,
  },
  {
    network: 'Telecel',
    name: 'deposit',
    kind: 'credit',
    pattern: String.raw`^(?<id>\d{16}) Confirmed\. ${WHEN.replace('on', 'On')}, a deposit of (?<amount>MONEY) was made to your account from (?<agent>.+?) ?\. Your balance is (?<balance>MONEY)`,
  },
  {
    network: 'GhanaPay',
    name: 'received',
    kind: 'credit',
    pattern: String.raw`^You have received (?<amount>MONEY) from: (?<payer>.+?) ?\. Ref: (?<reference>[\s\S]*) ?\. Transaction ID: (?<id>\d{12})\. Balance: (?<balance>MONEY)`,
  },
  {
    network: null,
    name: 'sold cash',
    kind: 'fake',
    pattern: String.raw`^Cash In\s+for\b`,
    says: 'The networks don’t write “Cash In for”.',
  },
  {
    network: null,
    name: 'misspelt',
    kind: 'fake',
    pattern: String.raw`\bAvaliable\b|\bbalan\b`,
    says: 'Misspelt: the networks’ messages aren’t.',
  },
  {
    network: null,
    name: 'threat',
    kind: 'fake',
    pattern: String.raw`\baccount (?:is|has been) susp[eé]nd`,
    says: 'The networks don’t block an account by SMS.',
  },
  {
    network: null,
    name: 'reversal by SMS',
    kind: 'reversal',
    pattern: String.raw`^Reversal of\b`,
    says: 'It says that money was taken back. Check your balance on the phone before you act on it.',
  },
  {
    network: 'MTN',
    name: 'payment failed',
    kind: 'failed',
    pattern: '^(?:Your payment of|Payment for) ?MONEY to [^.]+ (?:has )?failed',
    says: 'A payment of yours that failed.',
  },
  { network: 'MTN', name: 'payment made', kind: 'money-out', pattern: '^Payment made for MONEY to', says: 'A payment of yours.' },
  {
    network: 'MTN',
    name: 'bill',
    kind: 'money-out',
    pattern: '^Payment for ?MONEY to',
    says: 'A bundle, bill or loan that you paid.',
  },
  {
    network: 'MTN',
    name: 'payment completed',
    kind: 'money-out',
    pattern: '^Your payment of MONEY to .+ has been completed',
    says: 'A payment of yours.',
  },
  {
    network: 'MTN',
    name: 'never arrived',
    kind: 'failed',
    pattern: 'failed to send MONEY to your account',
    says: 'This money never arrived. The sender’s network gives it back.',
  },
  { network: 'MTN', name: 'cash out', kind: 'money-out', pattern: '^Cash Out made for ?MONEY', says: 'A cash out of yours.' },
  { network: 'MTN', name: 'transfer', kind: 'money-out', pattern: '^You have transferred MONEY', says: 'A transfer of yours.' },
  {
    network: 'MTN',
    name: 'paid a merchant',
    kind: 'money-out',
    pattern: String.raw`^(?:Y['’]ello\. )?You have paid MONEY to`,
    says: 'A merchant that you paid.',
  },
  {
    network: 'MTN',
    name: 'refund',
    kind: 'refund',
    pattern: 'has successfully refunded MONEY to your',
    says: 'Money that came back to you from a purchase of yours.',
  },
  { network: 'Telecel', name: 'failed', kind: 'failed', pattern: String.raw`^Failed\. Your`, says: 'A transfer of yours that failed.' },
  {
    network: 'Telecel',
    name: 'sent',
    kind: 'money-out',
    pattern: String.raw`^\d{16} Confirmed\. (?:MONEY (?:sent|paid) to|You have (?:withdrawn|transferred)|You bought)`,
    says: 'Money that you sent, paid or withdrew.',
  },
  {
    network: 'Telecel',
    name: 'bundle',
    kind: 'money-out',
    pattern: String.raw`^\d{16} Confirmed\. Your bundle purchase request of MONEY`,
    says: 'A bundle that you bought.',
  },
  {
    network: 'Telecel',
    name: 'loan paid',
    kind: 'money-out',
    pattern: String.raw`^\d{16} Confirmed\. You have paid (?:your )?MONEY`,
    says: 'A loan or bill that you paid.',
  },
  {
    network: 'Telecel',
    name: 'balance',
    kind: 'other',
    pattern: String.raw`^\d{16} Confirmed\. Your (?:[a-z]+ ){0,3}balance is MONEY`,
    says: 'Your balance, not a payment.',
  },
  {
    network: 'Telecel',
    name: 'airtime',
    kind: 'airtime',
    pattern: 'You have received airtime of MONEY',
    says: 'Airtime, not money.',
  },
  {
    network: 'Telecel',
    name: 'interest',
    kind: 'interest',
    pattern: 'received MONEY from .+ as interest',
    says: 'Interest on your own balance.',
  },
  { network: null, name: 'code', kind: 'other', pattern: String.raw`^Enter code \d+ to pay`, says: 'A code to pay with. Don’t share it.' },
  {
    network: null,
    name: 'loan',
    kind: 'other',
    pattern: String.raw`received (?:a )?MONEY (?:[a-z]+ ){0,2}[a-z]*Loan|^${GREETING}Your (?:[a-z]+ ){0,2}[a-z]*Loan\b`,
    says: 'A loan of yours.',
  },
  {
    network: null,
    name: 'reversed',
    kind: 'reversal',
    pattern: String.raw`^${GREETING}(?:Your|The|A) [^.:\n]*?(?:MONEY[^.:\n]*?)?\b(?:has been|was|is) (?:successfully )?(?:reversed|rolled back)`,
    says: 'It says that money was taken back. Check your balance on the phone before you act on it.',
  },
  {
    network: null,
    name: 'money out',
    kind: 'money-out',
    pattern: `^${GREETING}You (?:have |ha[sd] )?(?:successfully )?(?:sent|paid|transferred|withdrawn|withdrew|bought|purchased) (?:your )?MONEY`,
    says: 'Money that you sent, paid or withdrew.',
  },
  {
    network: null,
    name: 'taken',
    kind: 'money-out',
    pattern: `^${GREETING}(?:You have been debited(?: with)? MONEY|MONEY (?:was|has been) (?:deducted|debited))`,
    says: 'Money that was taken from your wallet.',
  },
  {
    network: null,
    name: 'asked for',
    kind: 'other',
    pattern: `^${GREETING}(?:A request of MONEY|[^.:\\n]{1,60} (?:has requested|is requesting|will receive) MONEY|You will receive MONEY)`,
    says: 'Money that somebody asks for or promises, not a payment.',
  },
  {
    network: null,
    name: 'bundle',
    kind: 'other',
    pattern: String.raw`^${GREETING}(?:You (?:have |ha[sd] )?(?:successfully )?(?:bought|purchased|activated|received|been credited with)|Your) (?:[\w.]+ ){0,4}?(?:\d[\d.]* ?[MG]B|bundle|data|minutes)\b`,
    says: 'A bundle, not money.',
  },
  {
    network: null,
    name: 'balance',
    kind: 'other',
    pattern: `^${GREETING}(?:Your (?:[a-z]+ ){0,4}balance(?: is)?|(?:Current|Available) balance):? ?MONEY`,
    says: 'Your balance, not a payment.',
  },
  {
    network: 'AirtelTigo',
    name: 'received',
    kind: 'credit',
    sure: false,
    pattern: String.raw`^(?:Dear customer, )?(?:You have )?received (?<amount>MONEY) from (?<payer>.+?)\.? (?:Ref(?:erence)?: ?(?<reference>.*?)\.? )?Trans(?:action)?\.? ID:? ?(?<id>(?=[A-Z.]*\d)[A-Z0-9][A-Z0-9.]{4,28}[A-Z0-9])`,
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
