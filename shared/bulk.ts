import * as z from 'zod/mini'
import { BULK_NETWORKS } from './bulk-line.ts'
import { MAX_BULK_LINES, PAUSED_WHY, SCHEDULE_QUESTIONS } from './bulk-rules.ts'
import { endpoints, idParam, messageReply } from './endpoint.ts'
import { cedis, phone, positiveCedis, tidy } from './fields.ts'
import { IDEMPOTENCY_KEY_HEADER } from './limits.ts'
import { idempotencyKey, ORDER_STATUSES } from './orders.ts'
import { offerName } from './products.ts'
import { pinProofHeader } from './transaction-pin.ts'

const TOO_MANY = `A list has 1 to ${MAX_BULK_LINES.toLocaleString('en')} lines.`
const NAME = 'Enter a name of 1 to 60 characters.'
const LINE = 'Send the number of the line, from 1.'
const TEXT = 'A line has at most 200 characters.'
const CURSOR = 'Send the cursor of an earlier reply.'
const DAY = 'Send the day as 2026-11-22.'
const TIME = 'Send the time as 08:00.'

const listName = z.string({ error: NAME }).check(tidy(), z.minLength(1, { error: NAME }), z.maxLength(60, { error: NAME }))
const personName = z.string({ error: TEXT }).check(tidy(), z.maxLength(100, { error: TEXT }))
const written = z.string({ error: TEXT }).check(z.maxLength(200, { error: TEXT }))
const lineNumber = z
  .number({ error: LINE })
  .check(z.int({ error: LINE }), z.minimum(1, { error: LINE }), z.maximum(1_000_000, { error: LINE }))
const network = z.enum(BULK_NETWORKS, { error: 'Choose a network from the list.' })
const cursor = z.optional(z.string().check(z.regex(/^[0-9]{1,15}$/, { error: CURSOR })))

/* @__NO_SIDE_EFFECTS__ */
function someLines<S extends z.core.$ZodType>(line: S) {
  return z.array(line, { error: TOO_MANY }).check(z.minLength(1, { error: TOO_MANY }), z.maxLength(MAX_BULK_LINES, { error: TOO_MANY }))
}

/** A line of a saved group: which package for whom. `name` may be empty. */
const groupLine = z.object({ name: personName, phoneNumber: phone, network, offer: offerName })
export type GroupLine = z.output<typeof groupLine>

/** Exactly one of the four: a written list, a saved group, the refunded lines of an earlier list, or its lines once more. */
const previewRequest = z.object({
  text: z.optional(z.string({ error: 'Send the list as text.' }).check(z.maxLength(1_000_000, { error: TOO_MANY }))),
  groupId: z.optional(z.uuid({ error: 'That group does not exist.' })),
  retryOf: z.optional(z.uuid({ error: 'That list does not exist.' })),
  repeatOf: z.optional(z.uuid({ error: 'That list does not exist.' })),
})

/**
 * A line as it was understood, in cedis. Only a line that is `ready` or `doubtful` has a `productId`, and only such a line can be placed; a doubtful
 * one once the agent said so. `short` and `why` say what is wrong or doubtful. `retryOf` is the refunded order that the line would buy again.
 */
const previewLine = z.object({
  number: z.number(),
  text: z.string(),
  state: z.enum(['ready', 'doubtful', 'wrong']),
  name: z.string(),
  phoneNumber: z.nullable(z.string()),
  network: z.nullable(network),
  offer: z.nullable(z.string()),
  productId: z.nullable(z.string()),
  amount: z.nullable(z.number()),
  short: z.string(),
  why: z.string(),
  retryOf: z.nullable(z.string()),
})

/**
 * An order of the agent's for a number on the list, for `checkLines`: the newest pending one of each number, and what was `delivered` to it in
 * the last twelve hours. `since` is an ISO time, of the purchase or of the delivery.
 */
const onItsWay = z.object({
  phoneNumber: z.string(),
  offer: z.string(),
  network: z.string(),
  number: z.string(),
  delivered: z.boolean(),
  since: z.string(),
})

const lineSum = z.object({ lines: z.number(), amount: z.number() })

/** `missing` is what the wallet lacks for the lines that are ready, 0 when it has enough. */
const previewReply = z.object({
  lines: z.array(previewLine),
  ready: lineSum,
  doubtful: lineSum,
  wrong: z.number(),
  onItsWay: z.array(onItsWay),
  balance: z.number(),
  missing: z.number(),
})
export type BulkPreview = z.output<typeof previewReply>

/** A line to buy. `amount` is the price that the agent saw; it is compared, never charged. Each `number` is sent once. */
const newLine = z.object({
  number: lineNumber,
  text: written,
  name: personName,
  productId: z.uuid({ error: 'Choose a product.' }),
  offer: offerName,
  phoneNumber: phone,
  amount: cedis,
  retryOf: z.optional(z.uuid({ error: 'That order does not exist.' })),
})
export type NewBulkLine = z.output<typeof newLine>

/** A line that was not bought, kept for the result file. */
const leftOutLine = z.object({ number: lineNumber, text: written, why: z.string({ error: TEXT }).check(z.maxLength(200, { error: TEXT })) })

/**
 * All `lines` are bought, or none. `total` is what the agent agreed to pay; another total is refused. `scheduleId` says that this answers the
 * schedule's question.
 */
export const placeBulkRequest = z.object({
  name: z.optional(listName),
  groupId: z.optional(z.uuid({ error: 'That group does not exist.' })),
  scheduleId: z.optional(z.uuid({ error: 'That schedule does not exist.' })),
  total: positiveCedis,
  lines: someLines(newLine),
  leftOut: z.optional(z.array(leftOutLine, { error: TOO_MANY }).check(z.maxLength(MAX_BULK_LINES, { error: TOO_MANY }))),
})
export type PlaceBulkRequest = z.output<typeof placeBulkRequest>

/**
 * A list that was paid for, in cedis, with how many of its orders stand how. `refunded` is what came back to the wallet. `placedBy`: by hand, by a
 * schedule, or through the developer API.
 */
const bulkJob = z.object({
  _id: z.string(),
  number: z.string(),
  name: z.string(),
  placedBy: z.enum(['hand', 'schedule', 'api']),
  createdAt: z.string(),
  groupId: z.nullable(z.string()),
  lines: z.number(),
  leftOut: z.number(),
  total: z.number(),
  pending: z.number(),
  completed: z.number(),
  rejected: z.number(),
  refunded: z.number(),
})
export type BulkJob = z.output<typeof bulkJob>

/** How a line went. A line that was left out has no order and says why; `retried` is the order that bought it again. */
const jobLine = z.object({
  number: z.number(),
  text: z.string(),
  name: z.string(),
  why: z.string(),
  order: z.nullable(
    z.object({
      _id: z.string(),
      number: z.string(),
      network: z.string(),
      offer: z.string(),
      phoneNumber: z.string(),
      amount: z.number(),
      status: z.enum(ORDER_STATUSES),
      refundReason: z.nullable(z.string()),
    }),
  ),
  retried: z.nullable(z.string()),
})
export type BulkJobLine = z.output<typeof jobLine>

const jobsQuery = z.object({ cursor })
const linesQuery = z.object({
  cursor,
  state: z.optional(z.enum([...ORDER_STATUSES, 'left-out'], { error: 'Choose a state from the list.' })),
})

/** A saved group. */
const group = z.object({ _id: z.string(), name: z.string(), lines: z.number(), updatedAt: z.string() })
export type BulkGroup = z.output<typeof group>
const saveGroupRequest = z.object({ name: listName, lines: someLines(groupLine) })
export type SaveGroupRequest = z.output<typeof saveGroupRequest>

/**
 * When a group is placed, in Ghana's time. `day`: of a single run its date (2026-11-22), otherwise null; `weekday` 1 (Monday) to 7; `monthDay` 1 to 31,
 * which is the last day of a shorter month. `most` is the highest total, in cedis, that is placed without a question.
 */
const scheduleRequest = z.object({
  groupId: z.uuid({ error: 'That group does not exist.' }),
  repeats: z.enum(['once', 'weekly', 'monthly'], { error: 'Choose how often.' }),
  day: z.nullable(z.string({ error: DAY }).check(z.regex(/^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/, { error: DAY }))),
  weekday: z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(7))),
  monthDay: z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(31))),
  time: z.string({ error: TIME }).check(z.regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, { error: TIME })),
  most: positiveCedis,
})
export type ScheduleRequest = z.output<typeof scheduleRequest>

/**
 * `nextAt`: when it is placed next, an ISO time; null when it has ended. `question`: why the run of `dueAt` was not placed and waits for an answer:
 * the prices rose above `most` (`total` is what it costs now), the wallet had too little, the shop was down for a day, or lines could not be bought.
 * Placing the group with `scheduleId` answers it, or skipping it does. `pausedWhy`: the shop paused it, since the wallet asks for a PIN now that nobody
 * gave for it, or the password was changed.
 */
const schedule = z.object({
  _id: z.string(),
  groupId: z.string(),
  groupName: z.string(),
  lines: z.number(),
  repeats: z.enum(['once', 'weekly', 'monthly']),
  day: z.nullable(z.string()),
  weekday: z.nullable(z.number()),
  monthDay: z.nullable(z.number()),
  time: z.string(),
  most: z.number(),
  isPaused: z.boolean(),
  pausedWhy: z.nullable(z.enum(PAUSED_WHY)),
  nextAt: z.nullable(z.string()),
  question: z.nullable(z.object({ why: z.enum(SCHEDULE_QUESTIONS), dueAt: z.string(), total: z.nullable(z.number()) })),
  lastJobId: z.nullable(z.string()),
})
export type BulkSchedule = z.output<typeof schedule>

const groupReply = z.object({ group })
const scheduleReply = z.object({ schedule })
const groupParams = idParam('group')
const scheduleParams = idParam('schedule')
const jobParams = idParam('list')

export const bulkEndpoints = endpoints({
  'POST /bulk/preview': {
    id: 'previewBulk',
    tag: 'bulk',
    summary: 'What the lines of a list would buy, what is wrong and what is doubtful, and the total against the balance. Buys nothing',
    access: 'signed-in',
    body: previewRequest,
    reply: previewReply,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  'POST /bulk': {
    id: 'placeBulk',
    tag: 'bulk',
    summary: `Buy up to ${MAX_BULK_LINES.toLocaleString('en')} lines from the wallet in one purchase: all of them, or none`,
    access: 'signed-in',
    headers: z.object({ [IDEMPOTENCY_KEY_HEADER]: idempotencyKey, ...pinProofHeader }),
    body: placeBulkRequest,
    reply: z.object({ job: bulkJob, balance: z.number(), balanceVersion: z.number() }),
    errors: [
      'FORBIDDEN',
      'PIN_REQUIRED',
      'INSUFFICIENT_BALANCE',
      'PRICE_CHANGED',
      'NOT_AVAILABLE',
      'KEY_REUSED',
      'PURCHASES_PAUSED',
      'NOT_FOUND',
      'CONFLICT',
    ],
  },
  'GET /bulk': {
    id: 'listBulk',
    tag: 'bulk',
    summary: 'Own lists, newest first, ten at a time',
    access: 'signed-in',
    query: jobsQuery,
    reply: z.object({ jobs: z.array(bulkJob), next: z.nullable(z.string()) }),
  },
  'GET /bulk/:id': {
    id: 'readBulk',
    tag: 'bulk',
    summary: 'How the lines of a list went, a thousand at a time',
    access: 'signed-in',
    params: jobParams,
    query: linesQuery,
    reply: z.object({ job: bulkJob, lines: z.array(jobLine), next: z.nullable(z.string()) }),
    errors: ['NOT_FOUND'],
  },
  'GET /bulk/:id/file': {
    id: 'exportBulk',
    tag: 'bulk',
    summary: 'The result of every line of a list as CSV',
    access: 'signed-in',
    params: jobParams,
    reply: 'csv',
    errors: ['NOT_FOUND'],
  },
  'GET /bulk-groups': {
    id: 'listBulkGroups',
    tag: 'bulk',
    summary: 'Own saved groups, by name',
    access: 'signed-in',
    reply: z.array(group),
  },
  'GET /bulk-groups/:id': {
    id: 'readBulkGroup',
    tag: 'bulk',
    summary: 'A saved group with its lines',
    access: 'signed-in',
    params: groupParams,
    reply: z.object({ group, lines: z.array(groupLine) }),
    errors: ['NOT_FOUND'],
  },
  'POST /bulk-groups': {
    id: 'createBulkGroup',
    tag: 'bulk',
    summary: 'Save a group',
    access: 'signed-in',
    body: saveGroupRequest,
    reply: groupReply,
    errors: ['FORBIDDEN', 'TAKEN', 'CONFLICT'],
  },
  'PUT /bulk-groups/:id': {
    id: 'changeBulkGroup',
    tag: 'bulk',
    summary: 'Change the name and the lines of a group',
    access: 'signed-in',
    params: groupParams,
    headers: z.object(pinProofHeader),
    body: saveGroupRequest,
    reply: groupReply,
    errors: ['FORBIDDEN', 'PIN_REQUIRED', 'NOT_FOUND', 'TAKEN'],
  },
  'DELETE /bulk-groups/:id': {
    id: 'deleteBulkGroup',
    tag: 'bulk',
    summary: 'Delete a group and its schedules',
    access: 'signed-in',
    params: groupParams,
    reply: messageReply,
    errors: ['NOT_FOUND'],
  },
  'GET /bulk-schedules': {
    id: 'listBulkSchedules',
    tag: 'bulk',
    summary: 'Own schedules: those with a question first, then by when they run next',
    access: 'signed-in',
    reply: z.array(schedule),
  },
  'POST /bulk-schedules': {
    id: 'createBulkSchedule',
    tag: 'bulk',
    summary: 'Place a group at a time, once or again and again',
    access: 'signed-in',
    headers: z.object(pinProofHeader),
    body: scheduleRequest,
    reply: scheduleReply,
    errors: ['FORBIDDEN', 'PIN_REQUIRED', 'NOT_FOUND', 'CONFLICT'],
  },
  'PUT /bulk-schedules/:id': {
    id: 'changeBulkSchedule',
    tag: 'bulk',
    summary: 'Change when a schedule runs, and its highest total',
    access: 'signed-in',
    params: scheduleParams,
    headers: z.object(pinProofHeader),
    body: scheduleRequest,
    reply: scheduleReply,
    errors: ['FORBIDDEN', 'PIN_REQUIRED', 'NOT_FOUND', 'CONFLICT'],
  },
  'POST /bulk-schedules/:id/pause': {
    id: 'pauseBulkSchedule',
    tag: 'bulk',
    summary: 'Place nothing until it is resumed',
    access: 'signed-in',
    params: scheduleParams,
    reply: scheduleReply,
    errors: ['NOT_FOUND'],
  },
  'POST /bulk-schedules/:id/resume': {
    id: 'resumeBulkSchedule',
    tag: 'bulk',
    summary: 'Run again from the next time on; asks for the PIN unless it was given for this schedule',
    access: 'signed-in',
    params: scheduleParams,
    headers: z.object(pinProofHeader),
    reply: scheduleReply,
    errors: ['PIN_REQUIRED', 'NOT_FOUND'],
  },
  'POST /bulk-schedules/:id/skip': {
    id: 'skipBulkSchedule',
    tag: 'bulk',
    summary: 'Answer the question of a schedule by placing nothing this time',
    access: 'signed-in',
    params: scheduleParams,
    reply: scheduleReply,
    errors: ['NOT_FOUND'],
  },
  'DELETE /bulk-schedules/:id': {
    id: 'deleteBulkSchedule',
    tag: 'bulk',
    summary: 'Delete a schedule; what it placed stays',
    access: 'signed-in',
    params: scheduleParams,
    reply: messageReply,
    errors: ['NOT_FOUND'],
  },
})
