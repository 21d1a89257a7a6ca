import { MAX_BULK_GROUPS, MAX_BULK_SCHEDULES } from '../../shared/bulk-rules.ts'
import { MAX_CONTACTS } from '../../shared/contacts.ts'
import { MAX_CONFIRMED_NUMBERS } from '../../shared/number-rules.ts'
import { MAX_PENDING_RECHARGES } from '../../shared/recharges.ts'
import { MAX_WEBHOOKS } from '../../shared/webhook-rules.ts'
import { MAX_OPEN_WITHDRAWALS } from '../../shared/withdrawal-rules.ts'
import type { Bucket } from './rate-limiter.ts'

/**
 * The most that one account, address, receiver or report may use of what all share. An endpoint names its shares in `mount`; a test fails for a
 * write without one, and another compares this table with docs/security.md.
 */
export type Share = { by: 'account' | 'address' | 'receiver' | 'report'; most: number } & (Rate | Stock | Work)

/** `most` at once, and one more every `everyMs`, counted by all processes together unless `inEachProcess`. */
type Rate = { of: 'calls' | 'messages'; everyMs: number; inEachProcess?: true; ofOneClient?: OfOneClient }

/**
 * What one browser, and one typed number, may use of its address's share, which leaves the rest to its neighbours. A script that keeps no cookie and types
 * other numbers is held by the address's share alone; when that is used up, browsers that have paid before have as much once more. `refused`: so many calls
 * that the endpoint refuses, such as a number that has an account, count for nothing but the client.
 */
type OfOneClient = { most: number; everyMs: number; refused?: { most: number; everyMs: number } }

/**
 * What is kept, held by a trigger on `table` (`hold_share`) which has the same figures.
 * `ends`: what makes room again. `full`: what the caller is told.
 */
type Stock = { of: 'rows' | 'bytes'; table: string; ends: string; full: string }

/** Work that runs at the same time, and as many more as wait for their turn; the rest are refused. */
type Work = { of: 'work in flight' | 'bytes in flight'; waiting: number }

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

export const SHARES = {
  // Changes of what is there already, which cost a statement or two.
  changes: { of: 'calls', by: 'account', most: 120, everyMs: SECOND_MS, inEachProcess: true },
  'open changes': { of: 'calls', by: 'address', most: 300, everyMs: 200, inEachProcess: true },
  'staff work': { of: 'calls', by: 'account', most: 600, everyMs: 100, inEachProcess: true },

  // Who has given a wrong address a few times knows better by then; each address gets calls.
  'webhook addresses': { of: 'calls', by: 'account', most: 10, everyMs: 10 * MINUTE_MS },

  // A list without `page`, or a file, counts as three.
  requests: { of: 'work in flight', by: 'account', most: 8, waiting: 40 },
  'open requests': { of: 'work in flight', by: 'address', most: 60, waiting: 600 },
  // Bodies that arrive or are worked on: two of the longest lists.
  bodies: { of: 'bytes in flight', by: 'account', most: 6_000_000, waiting: 0 },
  'open bodies': { of: 'bytes in flight', by: 'address', most: 8_000_000, waiting: 0 },
  // As many as requests allow wait.
  files: { of: 'work in flight', by: 'account', most: 1, waiting: 8 },
  // What a client wrote is read on two threads, for short and for long texts, which all accounts share.
  reading: { of: 'work in flight', by: 'account', most: 1, waiting: 8 },
  // They queue for the wallet's lock, each with a connection.
  purchases: { of: 'work in flight', by: 'account', most: 2, waiting: 0 },

  // Of requests sent ahead, or of a body in crumbs. Not counted behind a proxy, whose connections all have its address.
  'connections that flood': { of: 'calls', by: 'address', most: 10, everyMs: 6 * SECOND_MS, inEachProcess: true },
  // To a webhook, as if a provider had sent it. An address from which a right signature came has no limit.
  'wrong signatures': { of: 'calls', by: 'address', most: 60, everyMs: SECOND_MS, inEachProcess: true },
  'forwarded messages': { of: 'calls', by: 'address', most: 1_200, everyMs: 50, inEachProcess: true },
  'sign-in': { of: 'calls', by: 'address', most: 1_200, everyMs: 100, inEachProcess: true },
  register: {
    of: 'calls',
    by: 'address',
    most: 200,
    everyMs: 6 * SECOND_MS,
    ofOneClient: { most: 10, everyMs: MINUTE_MS, refused: { most: 60, everyMs: 10 * SECOND_MS } },
  },
  'forgotten password': { of: 'calls', by: 'address', most: 120, everyMs: 10 * SECOND_MS },
  // Each of these changes sends a mail about it, also when it succeeds.
  'changes that send mail': { of: 'messages', by: 'account', most: 10, everyMs: 10 * MINUTE_MS },
  // Those that succeed, of phone, e-mail address, password and PIN together.
  'changes of an account': { of: 'messages', by: 'account', most: 10, everyMs: 144 * MINUTE_MS },
  // Of each kind of mail about accounts: whoever types a stranger's address does not fill their mailbox.
  'mails to an address': { of: 'messages', by: 'receiver', most: 20, everyMs: 72 * MINUTE_MS },
  // An account is new at will, and so is the stranger's number in it; an address is not.
  'codes by SMS': { of: 'messages', by: 'address', most: 20, everyMs: 2 * MINUTE_MS },
  // Of accounts that never paid, to numbers other than their own.
  'codes to other numbers': { of: 'messages', by: 'address', most: 6, everyMs: 4 * 60 * MINUTE_MS },
  // The same for a number: three a day, to which nobody has answered yet.
  'codes to unconfirmed numbers': { of: 'messages', by: 'receiver', most: 3, everyMs: 8 * 60 * MINUTE_MS },
  // A person reviews each request.
  recharge: { of: 'calls', by: 'account', most: 20, everyMs: MINUTE_MS },
  // Each calls the card provider, which limits the shop as a whole.
  'card payment': { of: 'calls', by: 'account', most: 30, everyMs: 30 * SECOND_MS },
  // Reading and buying a list takes a second of the server.
  list: { of: 'calls', by: 'account', most: 20, everyMs: 3 * SECOND_MS },
  'report-lines': { of: 'calls', by: 'account', most: 60, everyMs: 5 * SECOND_MS },
  withdrawal: { of: 'calls', by: 'account', most: 10, everyMs: MINUTE_MS },
  // Setting money aside, which comes back by itself, and withdrawals, which can be taken back: entries that cost nobody anything and stay for good. What an
  // order uses gives its place back (return_set_aside.sql).
  'money to and fro': { of: 'calls', by: 'account', most: 200, everyMs: 432 * SECOND_MS },
  // Codes sent and guessed are limited by the database's records, too; these stop whoever asks on and on.
  'payout code': { of: 'calls', by: 'account', most: 10, everyMs: MINUTE_MS },
  'payout code typed': { of: 'calls', by: 'account', most: 20, everyMs: 20 * SECOND_MS },
  'number code': { of: 'calls', by: 'account', most: 10, everyMs: MINUTE_MS },
  'number code typed': { of: 'calls', by: 'account', most: 20, everyMs: 20 * SECOND_MS },
  'codes for WhatsApp': { of: 'calls', by: 'account', most: 10, everyMs: MINUTE_MS },
  'tests of WhatsApp': { of: 'calls', by: 'account', most: 5, everyMs: MINUTE_MS },
  invitation: { of: 'calls', by: 'account', most: 30, everyMs: 10 * SECOND_MS },
  // Decoding a picture takes a processor for a while.
  'shop logo': { of: 'calls', by: 'account', most: 10, everyMs: 30 * SECOND_MS },
  // Whether a PIN is in the stock could otherwise be tried by the million, ten thousand at a time.
  'checker lists': { of: 'calls', by: 'account', most: 20, everyMs: MINUTE_MS },
  'send-checkers': { of: 'calls', by: 'account', most: 20, everyMs: MINUTE_MS },
  // The owner of an AFA stand registers more people than anybody else.
  'afa forms': { of: 'calls', by: 'account', most: 60, everyMs: 20 * SECOND_MS },
  'refund to source': { of: 'calls', by: 'account', most: 20, everyMs: 10 * SECOND_MS },
  'refund code': { of: 'calls', by: 'account', most: 10, everyMs: MINUTE_MS },

  // Guests have no account. Thousands of phones share a mobile operator's address, so these are wide.
  'guest payment': { of: 'calls', by: 'address', most: 120, everyMs: 4 * SECOND_MS, ofOneClient: { most: 10, everyMs: 30 * SECOND_MS } },
  'guest question': { of: 'calls', by: 'address', most: 120, everyMs: SECOND_MS },
  'guest report': { of: 'calls', by: 'address', most: 20, everyMs: 30 * SECOND_MS },
  'guest afa form': { of: 'calls', by: 'address', most: 30, everyMs: 20 * SECOND_MS },
  'afa details': { of: 'calls', by: 'address', most: 30, everyMs: 20 * SECOND_MS },
  // A guess needs an order's link and its receiver's number, so this leaves few.
  'guest-checkers': { of: 'calls', by: 'address', most: 30, everyMs: 20 * SECOND_MS },
  'refund code shown': { of: 'calls', by: 'address', most: 30, everyMs: 10 * SECOND_MS },
  'refund code sent': { of: 'calls', by: 'address', most: 10, everyMs: MINUTE_MS },
  // Wrong ones are counted for each order and each receiver besides (limit-knowledge.ts).
  track: { of: 'calls', by: 'address', most: 120, everyMs: 5 * SECOND_MS, ofOneClient: { most: 30, everyMs: 20 * SECOND_MS } },
  'track-link': { of: 'calls', by: 'address', most: 300, everyMs: SECOND_MS },

  contacts: {
    of: 'rows',
    by: 'account',
    most: MAX_CONTACTS,
    table: 'contacts',
    ends: 'the customer deletes it',
    full: `You can name at most ${MAX_CONTACTS} numbers. Delete one that you no longer need, then save this one.`,
  },
  'confirmed numbers': {
    of: 'rows',
    by: 'account',
    most: MAX_CONFIRMED_NUMBERS,
    table: 'confirmed_numbers',
    ends: 'the account changes its phone number, or another account confirms it',
    full: `You have confirmed ${MAX_CONFIRMED_NUMBERS} numbers already. Pay with the reference code from this one.`,
  },
  groups: {
    of: 'rows',
    by: 'account',
    most: MAX_BULK_GROUPS,
    table: 'bulk_groups',
    ends: 'the agent deletes it',
    full: `You can save at most ${MAX_BULK_GROUPS} groups. Delete one that you no longer need, then save this one.`,
  },
  'bytes of groups': {
    of: 'bytes',
    by: 'account',
    most: 8_000_000,
    table: 'bulk_groups',
    ends: 'the agent deletes a group',
    full: 'Your groups have as many lines as there is room for. Delete a group that you no longer need, then save this one.',
  },
  schedules: {
    of: 'rows',
    by: 'account',
    most: MAX_BULK_SCHEDULES,
    table: 'bulk_schedules',
    ends: 'the agent deletes it',
    full: `You can have at most ${MAX_BULK_SCHEDULES} schedules. Delete one that you no longer need, then save this one.`,
  },
  'lists to be paid': {
    of: 'rows',
    by: 'account',
    most: 20,
    table: 'payment_lists',
    ends: 'it is paid for, or a day after its payment was closed',
    full: '20 of your lists wait for their payment. Pay for one, or try again tomorrow.',
  },
  'open payments': {
    of: 'rows',
    by: 'account',
    most: 60,
    table: 'payments',
    ends: 'it is paid, or closed after half an hour',
    full: '60 of your card payments wait already. Finish one of them, or try again in half an hour.',
  },
  // More than an address may begin in half an hour, so that these are never what keeps a neighbour out.
  'open guest payments': {
    of: 'rows',
    by: 'address',
    most: 1_200,
    table: 'payments',
    ends: 'it is paid, or closed after half an hour',
    full: 'Too many card payments wait already. Nothing was charged. Please try again in some minutes.',
  },
  webhooks: {
    of: 'rows',
    by: 'account',
    most: MAX_WEBHOOKS,
    table: 'webhook_endpoints',
    ends: 'the agent removes it',
    full: `You can have at most ${MAX_WEBHOOKS} webhooks. Remove one that you no longer need.`,
  },
  // Those that work are twenty; what ended stays in the list of what was done with it.
  keys: {
    of: 'rows',
    by: 'account',
    most: 2_000,
    table: 'api_keys',
    ends: 'the owner of the shop takes old ones away',
    full: 'You have made 2,000 keys. Please write to us, and we take the old ones away.',
  },
  'forms to be used': {
    of: 'rows',
    by: 'account',
    most: 300,
    table: 'afa_forms',
    ends: 'its registration is bought, or after two days',
    full: 'The details of 300 people wait to be bought. Buy some of those registrations first.',
  },
  // A full shop makes room (`makeRoomForForm`); the trigger stands behind that.
  'forms of a shop': {
    of: 'rows',
    by: 'account',
    most: 1_000,
    table: 'afa_forms',
    ends: 'its registration is bought, after two days, or for a newer form',
    full: 'This shop takes no more registrations today. Please ask it.',
  },
  'recharges that wait': {
    of: 'rows',
    by: 'account',
    most: MAX_PENDING_RECHARGES,
    table: 'recharges',
    ends: 'it is decided',
    full: `You have ${MAX_PENDING_RECHARGES} recharges waiting already. Please wait for a decision.`,
  },
  'withdrawals on their way': {
    of: 'rows',
    by: 'account',
    most: MAX_OPEN_WITHDRAWALS,
    table: 'withdrawals',
    ends: 'it is paid or ended',
    full: `${MAX_OPEN_WITHDRAWALS} withdrawals are on their way already. Please wait until one is paid.`,
  },
  // More than anyone writes about one order by hand. The trigger counts the buyer's; with the shop's, `recordMessage` does.
  'lines of a report': {
    of: 'rows',
    by: 'report',
    most: 100,
    table: 'report_messages',
    ends: 'never: the report stays with its order',
    full: 'That report is full. Please call us, or write on WhatsApp.',
  },
  'test orders': {
    of: 'rows',
    by: 'account',
    most: 10_000,
    table: 'test_orders',
    ends: 'a day is over',
    full: 'You have made 10,000 test orders. They are kept for a day, and then there is room again.',
  },
} as const satisfies Record<string, Share>

export type ShareName = keyof typeof SHARES
type OfRates<N extends ShareName> = N extends ShareName ? ((typeof SHARES)[N] extends Rate ? N : never) : never
export type RateName = OfRates<ShareName>

export function shareOf(name: ShareName): Share {
  return SHARES[name]
}

/** The share of calls or messages of one account, address or receiver, for a rate limiter. */
export function bucketOf(name: RateName, whose: string): Bucket {
  const { most, everyMs } = SHARES[name]
  return { name: `${name} ${whose}`, size: most, everyMs }
}

/** What one client has of its address's share; null where only the address counts. */
export function ofOneClient(name: RateName): OfOneClient | null {
  const share = SHARES[name]
  return 'ofOneClient' in share ? share.ofOneClient : null
}

/** The error of `hold_share`, whose constraint is the share's name. */
export const SHARE_IS_FULL = 'DW015'

/** What to tell whoever has used up a share of rows or bytes. */
export function fullOf(constraint: string | undefined): string {
  const share: Share | undefined = Object.hasOwn(SHARES, constraint ?? '') ? SHARES[constraint as ShareName] : undefined
  return share && 'full' in share ? share.full : 'You have as many of those as one account can have.'
}
