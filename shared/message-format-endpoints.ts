import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'
import { tidy } from './fields.ts'
import { MOMO_NETWORKS, NOT_COUNTED_KINDS } from './message-formats.ts'

/** Networks whose messages have forms. */
export const FORMAT_NETWORKS = MOMO_NETWORKS.filter((network) => network !== 'Other')
export type FormatNetwork = (typeof FORMAT_NETWORKS)[number]

/** What a message of a form is about. */
export const FORMAT_KINDS = ['credit', 'money-out', 'failed', 'airtime', 'refund', 'interest', 'other'] as const
export type FormatKind = (typeof FORMAT_KINDS)[number]

export const MOST_SAMPLES = 10
const MOST_WORDS = 1_000
const MOST_SAMPLE = 2_000

const network = z.enum(FORMAT_NETWORKS, { error: 'Choose a network from the list.' })
const NAME = 'Give the form a name of 1 to 60 characters.'
const name = z.string({ error: NAME }).check(tidy(), z.minLength(1, { error: NAME }), z.maxLength(60, { error: NAME }))
const SAMPLE = 'A message has 10 to 2,000 characters.'
const sample = z.string({ error: SAMPLE }).check(tidy(), z.minLength(10, { error: SAMPLE }), z.maxLength(MOST_SAMPLE, { error: SAMPLE }))
const SENDER = 'A network’s name has 3 to 20 letters, digits, dots, dashes or spaces, and a letter: never a phone number.'
const senders = z
  .array(z.string({ error: SENDER }).check(tidy(), z.regex(/^(?=.*[A-Za-z])[A-Za-z0-9 .-]{3,20}$/, { error: SENDER })))
  .check(z.maxLength(5, { error: 'Name at most five senders.' }))
const WORDS = 'Write down the words of the message, up to 1,000 characters.'

/** One form as somebody writes it down. `words` have placeholders such as {amount}; null for those that came with the shop. */
const draft = z.object({
  network,
  name,
  kind: z.enum(FORMAT_KINDS, { error: 'Say what such a message is about.' }),
  words: z.nullable(z.string({ error: WORDS }).check(tidy(), z.minLength(1, { error: WORDS }), z.maxLength(MOST_WORDS, { error: WORDS }))),
  senders,
  samples: z.array(sample).check(z.maxLength(MOST_SAMPLES, { error: `Keep at most ${MOST_SAMPLES} samples.` })),
  on: z.boolean({ error: 'Say whether it is used.' }),
})
export type FormatDraft = z.output<typeof draft>

/** `origin`: it came with the shop, somebody changed it or wrote it, or it is set where the shop runs. `version` 0 before any change. */
const format = z.extend(draft, {
  kind: z.enum(['credit', ...NOT_COUNTED_KINDS]),
  origin: z.enum(['built-in', 'changed', 'own', 'server']),
  version: z.number(),
  changedAt: z.nullable(z.string()),
  changedBy: z.nullable(z.string()),
  /** False while no genuine message of it was seen: what it reads always waits for a person. */
  sure: z.boolean(),
})
export type ShownFormat = z.output<typeof format>

/** What is understood of a message. Amounts in cedis. `doubts` are sentences; with one it waits for a person. */
const understood = z.object({
  text: z.string(),
  kind: z.enum(['credit', ...NOT_COUNTED_KINDS]),
  /** The form that it was read as, null for none. */
  format: z.nullable(z.string()),
  network: z.nullable(z.enum(MOMO_NETWORKS)),
  amount: z.nullable(z.number()),
  fee: z.number(),
  balance: z.nullable(z.number()),
  transactionId: z.nullable(z.string()),
  payer: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  reference: z.nullable(z.string()),
  says: z.string(),
  doubts: z.array(z.string()),
})
export type Understood = z.output<typeof understood>

const unread = z.object({ id: z.string(), text: z.string(), network: z.enum(MOMO_NETWORKS), receivedAt: z.string(), waiting: z.boolean() })
export type UnreadMessage = z.output<typeof unread>

const list = z.object({ formats: z.array(format), unread: z.array(unread) })

export const messageFormatEndpoints = endpoints({
  'GET /message-format': {
    id: 'listMessageFormats',
    tag: 'recharges',
    summary: 'How mobile-money messages read, and the newest 50 of the last 30 days that no form knew',
    access: 'finance',
    reply: list,
  },
  'GET /message-format/versions': {
    id: 'listMessageFormatVersions',
    tag: 'recharges',
    summary: 'The newest 50 versions of a form, with who changed it',
    access: 'finance',
    query: z.object({ network, name }),
    reply: z.array(format),
  },
  'POST /message-format/try': {
    id: 'tryMessage',
    tag: 'recharges',
    summary: 'What is understood of a message, and of each sample of a form that is being written. Nothing is kept',
    access: 'finance',
    body: z.object({
      text: z.optional(sample),
      sender: z.optional(z.string().check(tidy(), z.maxLength(40, { error: 'That sender is too long.' }))),
      draft: z.optional(draft),
    }),
    reply: z.object({
      reading: z.nullable(understood),
      samples: z.array(understood),
      /** Why the draft could not be saved as it is. */
      problems: z.array(z.object({ path: z.string(), message: z.string() })),
    }),
  },
  'PUT /message-format': {
    id: 'changeMessageFormat',
    tag: 'recharges',
    summary:
      'Write a form down, change it, switch it off or on, or restore one that came with the shop (`words` null). It must read all its samples, and no sample of another. It counts for the next message',
    access: 'owner',
    body: z.extend(draft, { version: z.int({ error: 'Say which version you have changed.' }).check(z.minimum(0)) }),
    reply: z.object({ format }),
    errors: ['CONFLICT'],
  },
})
