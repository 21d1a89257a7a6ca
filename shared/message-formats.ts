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
 * The forms of messages, the first that fits counts: network, name, kind, what the owner reads of it, and below them the pattern. From messages on
 * receiving phones in 2026; no genuine one of AirtelTigo was found, so its form is a guess. The reference is greedy up to the last id: what the payer
 * types cannot pose as the network's id.
 */
const FORMS = String.raw`
MTN | payment received | credit
  ^Payment received for (?<amount>MONEY) from (?<payer>.+?) ?\.? ?(?:${MTN_BALANCE} ?)?\.? ?Reference: ?(?<reference>[\s\S]*)\. ${MTN_ID}
MTN | cash in | credit
  ^Cash In received for (?<amount>MONEY) from (?<agent>.+?) ?\.? ?${MTN_BALANCE} ?${MTN_ID}
Telecel | received from Telecel Cash | credit
  ^(?<id>\d{16}) Confirmed\. You have received (?<amount>MONEY) from (?<phone>\d{10,12}) ?- ?(?<payer>.+?) ${WHEN}${TELECEL_END}
Telecel | received from another network | credit
  ^(?<id>\d{16}) Confirmed\. You have received (?<amount>MONEY) from [A-Z][A-Z ]+ with transaction reference: Transfer From: (?<phone>\d{10,12})-(?<payer>.+?) ${WHEN}${TELECEL_END}
Telecel | received without a number | credit
  ^(?<id>\d{16}) Confirmed\. You have received (?<amount>MONEY)(?: as payment)? from (?<payer>(?!\d)[^:]+?)(?: on TELECEL CASH)? ${WHEN}${TELECEL_END}
Telecel | deposit | credit
  ^(?<id>\d{16}) Confirmed\. ${WHEN.replace('on', 'On')}, a deposit of (?<amount>MONEY) was made to your account from (?<agent>.+?) ?\. Your balance is (?<balance>MONEY)
GhanaPay | received | credit
  ^You have received (?<amount>MONEY) from: (?<payer>.+?) ?\. Ref: (?<reference>[\s\S]*) ?\. Transaction ID: (?<id>\d{12})\. Balance: (?<balance>MONEY)
any | sold cash | fake | The networks don’t write “Cash In for”.
  ^Cash In\s+for\b
any | misspelt | fake | Misspelt: the networks’ messages aren’t.
  \bAvaliable\b|\bbalan\b
any | threat | fake | The networks don’t block an account by SMS.
  \baccount (?:is|has been) susp[eé]nd
any | reversal by SMS | reversal | It says that money was taken back. Check your balance on the phone before you act on it.
  ^(?:\d{16} Confirmed\. )?(?:A )?Reversal of\b
MTN | payment failed | failed | A payment of yours that failed.
  ^(?:Your payment of|Payment for) ?MONEY to [^.]+ (?:has )?failed
MTN | payment made | money-out | A payment of yours.
  ^Payment made for MONEY to
MTN | bill | money-out | A bundle, bill or loan that you paid.
  ^Payment for ?MONEY to
MTN | payment completed | money-out | A payment of yours.
  ^Your payment of MONEY to .+ has been completed
MTN | never arrived | failed | This money never arrived. The sender’s network gives it back.
  failed to send MONEY to your account
MTN | cash out | money-out | A cash out of yours.
  ^Cash Out made for ?MONEY
MTN | transfer | money-out | A transfer of yours.
  ^You have transferred MONEY
MTN | paid a merchant | money-out | A merchant that you paid.
  ^(?:Y['’]ello\. )?You have paid MONEY to
MTN | refund | refund | Money that came back to you from a purchase of yours.
  has successfully refunded MONEY to your
any | not completed | failed | A payment that failed.
  ^Transaction failed\b|^(?:A |Your |The )?payment of MONEY .*could not be completed
Telecel | failed | failed | A transfer of yours that failed.
  ^Failed\. Your
Telecel | sent | money-out | Money that you sent, paid or withdrew.
  ^\d{16} Confirmed\. (?:MONEY (?:sent|paid) to|You have (?:withdrawn|transferred)|You bought)
Telecel | bundle | money-out | A bundle that you bought.
  ^\d{16} Confirmed\. Your bundle purchase request of MONEY
Telecel | loan paid | money-out | A loan or bill that you paid.
  ^\d{16} Confirmed\. You have paid (?:your )?MONEY
Telecel | balance | other | Your balance, not a payment.
  ^\d{16} Confirmed\. Your (?:[a-z]+ ){0,3}balance is MONEY
Telecel | airtime | airtime | Airtime, not money.
  You have received airtime of MONEY
any | interest | interest | Interest on your own balance.
  you have received MONEY as interest
Telecel | interest | interest | Interest on your own balance.
  received MONEY from .+ as interest
any | code | other | A code to pay with. Don’t share it.
  ^Enter code \d+ to pay
any | loan | other | A loan of yours.
  received (?:a )?(?:loan of MONEY|MONEY (?:[a-z]+ ){0,2}[a-z]*Loan)|^${GREETING}Your (?:[a-z]+ ){0,2}[a-z]*Loan\b
any | reversed | reversal | It says that money was taken back. Check your balance on the phone before you act on it.
  ^${GREETING}(?:Your|The|An?) [^.:\n]*?(?:MONEY[^.:\n]*?)?\b(?:has been|was|is) (?:successfully )?(?:reversed|rolled back)
any | money out | money-out | Money that you sent, paid or withdrew.
  ^${GREETING}You (?:have |ha[sd] )?(?:successfully )?(?:sent|paid|transferred|withdrawn|withdrew|bought|purchased) (?:your )?MONEY
any | taken | money-out | Money that was taken from your wallet.
  ^${GREETING}(?:You have been debited(?: with)? MONEY|MONEY (?:was|has been) (?:deducted|debited))
any | asked for | other | Money that somebody asks for or promises, not a payment.
  ^${GREETING}(?:A request of MONEY|[^.:\n]{1,60} (?:has requested|is requesting|will receive) MONEY|You will receive MONEY)
any | bundle | other | A bundle, not money.
  ^${GREETING}(?:You (?:have |ha[sd] )?(?:successfully )?(?:bought|purchased|activated|received|been credited with)|Your) (?:[\w.]+ ){0,4}?(?:\d[\d.]* ?[MG]B|bundle|data|minutes)\b
any | balance | other | Your balance, not a payment.
  ^${GREETING}(?:Your (?:[a-z]+ ){0,4}balance(?: is)?|(?:Current|Available) balance):? ?MONEY
AirtelTigo | received | unsure credit
  ^(?:Dear customer, )?(?:You have )?received (?<amount>MONEY) from (?<payer>[^.:\n]{1,60}?)\.? (?:Ref(?:erence)?: ?(?<reference>[^:\n]*?)\.? )?Trans(?:action)?\.? ID:? ?(?<id>(?=[A-Z.]*\d)[A-Z0-9][A-Z0-9.]{4,28}[A-Z0-9])
`

export const MESSAGE_FORMATS: readonly MessageFormat[] = FORMS.trim()
  .split(/\n(?=\S)/)
  .map((form) => {
    const [, network, name = '', unsure, kind, says, pattern = ''] =
      /^(\w+) \| ([^|]+) \| (unsure )?([a-z-]+)(?: \| (.+))?\n {2}(.+)$/.exec(form) ?? []
    const known = MOMO_NETWORKS.find((one) => one === network) ?? null
    return { network: known, name, kind: kind as MessageFormat['kind'], pattern, ...(says && { says }), ...(unsure && { sure: false }) }
  })

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
