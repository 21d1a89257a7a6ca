import * as z from 'zod/mini'
import { endpoints, idParam } from './endpoint.ts'
import { cedis, phone, tidy } from './fields.ts'
import { MOMO_NETWORKS } from './message-formats.ts'

/** Apps on the shop's phone that send its messages on. Only the first signs what it sends. */
export const FORWARDER_APPS = ['sms-gateway', 'sms-to-url', 'sms-forwarder', 'other'] as const
export type ForwarderApp = (typeof FORWARDER_APPS)[number]

/** The networks whose wallets may be on such a phone. */
export const WALLET_NETWORKS = MOMO_NETWORKS.filter((network) => network !== 'Other')
export type WalletNetwork = (typeof WALLET_NETWORKS)[number]

export const MAX_FORWARDERS = 20

/** The balance of one network's wallet, in cedis. `waiting` messages do not follow from it, the oldest since `waitingSince`. */
const momoWallet = z.object({
  network: z.enum(WALLET_NETWORKS),
  balance: z.nullable(z.number()),
  confirmedAt: z.nullable(z.string()),
  waiting: z.number(),
  waitingSince: z.nullable(z.string()),
  /** The balance after the newest message, which the owner compares with the phone. */
  newest: z.nullable(z.number()),
})

const forwarder = z.object({
  _id: z.string(),
  name: z.string(),
  app: z.enum(FORWARDER_APPS),
  networks: z.array(z.enum(WALLET_NETWORKS)),
  phone: z.nullable(z.string()),
  createdAt: z.string(),
  createdBy: z.string(),
  /** The last call with the right key, and the last mobile-money message; null before the first. */
  seenAt: z.nullable(z.string()),
  messageAt: z.nullable(z.string()),
  problem: z.nullable(z.string()),
  battery: z.nullable(z.number()),
  silent: z.boolean(),
  /** Until then the key before still works. */
  oldKeyUntil: z.nullable(z.string()),
  wallets: z.array(momoWallet),
})
export type Forwarder = z.output<typeof forwarder>

/** What a message came to. The transaction's id is shown to its last four digits. */
const forwardedMessage = z.object({
  receivedAt: z.string(),
  outcome: z.enum(['payment', 'known', 'not-counted', 'fake']),
  network: z.string(),
  amount: z.nullable(z.number()),
  transactionId: z.nullable(z.string()),
  says: z.string(),
})
export type ForwardedMessage = z.output<typeof forwardedMessage>

const wholeCedis = (most: number) => {
  const error = `Enter whole cedis from 0 to ${most.toLocaleString('en-GB')}.`
  return z.int({ error }).check(z.minimum(0, { error }), z.maximum(most, { error }))
}
const MINUTES = 'Enter minutes from 0 to 1440.'

/** In whole cedis; 0 for nothing. See the table credit_rules. */
const creditRules = z.object({
  most: wholeCedis(50_000),
  daily: wholeCedis(1_000_000),
  unsigned: wholeCedis(50_000),
  claim: wholeCedis(50_000),
  silentMinutes: z.int({ error: MINUTES }).check(z.minimum(0, { error: MINUTES }), z.maximum(1_440, { error: MINUTES })),
})
export type CreditRules = z.output<typeof creditRules>

const NAME = 'Give the phone a name of 1 to 40 characters.'
const NETWORKS_NEEDED = 'Choose the networks whose wallets are on the phone.'
const networks = z
  .array(z.enum(WALLET_NETWORKS, { error: 'Choose a network from the list.' }), { error: NETWORKS_NEEDED })
  .check(z.minLength(1, { error: NETWORKS_NEEDED }), z.maxLength(WALLET_NETWORKS.length, { error: NETWORKS_NEEDED }))
const balance = cedis.check(
  z.refine((value) => value >= 0, { error: 'A balance is not below zero.', abort: true }),
  z.refine((value) => value <= 10_000_000, { error: 'That is more than a wallet can hold.' }),
)

const withKey = z.object({ forwarder, key: z.string() })
const forwarderId = idParam('phone')

export const forwarderEndpoints = endpoints({
  'GET /forwarder': {
    id: 'listForwarders',
    tag: 'recharges',
    summary: 'The phones that send mobile-money messages on, and what is credited without a person',
    access: 'finance',
    reply: z.object({ forwarders: z.array(forwarder), rules: creditRules }),
  },
  'POST /forwarder': {
    id: 'createForwarder',
    tag: 'recharges',
    summary: 'Add a phone. `key` is shown this once',
    access: 'owner',
    body: z.object({
      name: z.string({ error: NAME }).check(tidy(), z.minLength(1, { error: NAME }), z.maxLength(40, { error: NAME })),
      app: z.enum(FORWARDER_APPS, { error: 'Choose an app from the list.' }),
      networks,
      phone: z.optional(z.nullable(phone)),
    }),
    reply: withKey,
    errors: ['CONFLICT'],
  },
  'PUT /forwarder/rules': {
    id: 'changeCreditRules',
    tag: 'recharges',
    summary: 'Change what is credited without a person; what is not sent stays',
    access: 'owner',
    body: z.partial(creditRules),
    reply: z.object({ rules: creditRules }),
  },
  'POST /forwarder/read-again': {
    id: 'readAgain',
    tag: 'recharges',
    summary: 'Read once more what waits because no form knew it, with the forms that count now',
    access: 'owner',
    reply: z.object({ read: z.number(), understood: z.number() }),
  },
  'POST /forwarder/:id/rotate': {
    id: 'rotateForwarderKey',
    tag: 'recharges',
    summary: 'A new key for a phone. The old one works for another hour',
    access: 'owner',
    params: forwarderId,
    reply: withKey,
    errors: ['NOT_FOUND'],
  },
  'DELETE /forwarder/:id': {
    id: 'endForwarder',
    tag: 'recharges',
    summary: 'Take nothing from a phone any more; what it has brought and nobody credited waits for a person',
    access: 'owner',
    params: forwarderId,
    reply: z.object({ message: z.string() }),
    errors: ['NOT_FOUND'],
  },
  'PUT /forwarder/:id/balance': {
    id: 'confirmBalance',
    tag: 'recharges',
    summary: 'Say what a wallet on the phone holds now. Messages that lead to that balance, or follow from it, are proven',
    access: 'owner',
    params: forwarderId,
    body: z.object({ network: z.enum(WALLET_NETWORKS, { error: 'Choose a network from the list.' }), balance }),
    reply: z.object({ forwarder, proven: z.number() }),
    errors: ['NOT_FOUND'],
  },
  'GET /forwarder/:id/messages': {
    id: 'listForwardedMessages',
    tag: 'recharges',
    summary: 'The newest 50 mobile-money messages of a phone, and what they came to',
    access: 'finance',
    params: forwarderId,
    reply: z.array(forwardedMessage),
  },
})

/** Called by the phone's app, which proves itself by a signature or a key. */
export const forwardedEndpoints = endpoints({
  'POST /forwarder/:id/message': {
    id: 'receiveForwarded',
    tag: 'recharges',
    summary: 'A message from a phone of the shop',
    access: 'anyone',
    params: forwarderId,
    reply: z.object({ received: z.enum(['payment', 'known', 'not-counted', 'fake', 'repeated', 'ignored', 'heartbeat']) }),
    errors: ['UNAUTHENTICATED'],
    hidden: true,
  },
})
