import * as z from 'zod/mini'
import { BATCH_COLUMNS, BATCH_FILES, MAX_BATCH, NUMBER_FORMATS } from './batch-rules.ts'
import { endpoints } from './endpoint.ts'
import { network } from './fields.ts'
import { pageQuery } from './lists.ts'
import { order, orderId, refundReason } from './orders.ts'

const FORMAT = 'Choose the format from the list.'

/** The file that a network's portal accepts. `columns` in their order. */
export const batchFormat = z.object({
  file: z.enum(BATCH_FILES, { error: FORMAT }),
  columns: z
    .array(z.enum(BATCH_COLUMNS, { error: FORMAT }), { error: FORMAT })
    .check(z.minLength(1, { error: 'Choose at least one column.' }), z.maxLength(BATCH_COLUMNS.length, { error: FORMAT })),
  withHeader: z.boolean({ error: 'Say whether the first line names the columns.' }),
  numberFormat: z.enum(NUMBER_FORMATS, { error: FORMAT }),
})
export type BatchFormat = z.output<typeof batchFormat>

/** How a batch's order stands: locked, or how it left. */
export const BATCH_ORDER_STATUSES = ['locked', 'completed', 'rejected', 'released'] as const

/** Amounts in cedis, times ISO. `locked` and `lockedAmount`: what it still holds; `madeById` is the `_id` of who made it. */
const batchSummary = z.object({
  number: z.number(),
  network: z.string(),
  madeBy: z.string(),
  madeById: z.string(),
  madeAt: z.string(),
  exportedAt: z.nullable(z.string()),
  orders: z.number(),
  amount: z.number(),
  locked: z.number(),
  lockedAmount: z.number(),
})
export type BatchSummary = z.output<typeof batchSummary>

const batch = z.extend(batchSummary, {
  rows: z.array(z.object({ status: z.enum(BATCH_ORDER_STATUSES), order })),
  format: batchFormat,
})
export type Batch = z.output<typeof batch>
export type BatchRow = Batch['rows'][number]

const NUMBER = 'That batch does not exist.'
const batchParams = z.object({ number: z.string({ error: NUMBER }).check(z.regex(/^[1-9][0-9]{0,8}$/, { error: NUMBER })) })

const TOO_MANY = { error: `A batch has at most ${MAX_BATCH} orders.` }
const someOrders = z
  .array(z.uuid({ error: 'That order does not exist.' }), { error: 'Choose the orders.' })
  .check(z.maxLength(MAX_BATCH, TOO_MANY))

const makeBatchRequest = z.object({
  /** Chosen by the browser: the same key makes one batch, however often it is sent. */
  key: z.uuid({ error: 'Send the key of this press.' }),
  network,
  /** The orders to lock, by `_id` or number; without them the oldest of the network that a person has to send. */
  ids: z.optional(
    z
      .array(orderId, { error: 'Choose the orders.' })
      .check(z.minLength(1, { error: 'Choose at least one order.' }), z.maxLength(MAX_BATCH, TOO_MANY)),
  ),
})

/** What became of the orders of a batch. Those not named stay locked. */
const settleBatchRequest = z.object({
  completed: z.optional(someOrders),
  rejected: z.optional(
    z
      .array(z.object({ id: z.uuid({ error: 'That order does not exist.' }), reason: refundReason }), { error: 'Choose the orders.' })
      .check(z.maxLength(MAX_BATCH, TOO_MANY)),
  ),
  released: z.optional(someOrders),
})
export type SettleBatchRequest = z.output<typeof settleBatchRequest>

const refusals = z.array(z.object({ id: z.string(), message: z.string() }))
const batchReply = z.object({ batch })

export const batchEndpoints = endpoints({
  'GET /admin/batches': {
    id: 'listBatches',
    tag: 'admin',
    summary: 'Batches, the newest first; with `open`, only those that still lock orders',
    access: 'orders',
    query: z.extend(pageQuery, {
      open: z.optional(z.literal('true', { error: 'Send open=true, or leave it out.' })),
      network: z.optional(network),
    }),
    reply: z.array(batchSummary),
    list: true,
  },
  'POST /admin/batches': {
    id: 'makeBatch',
    tag: 'admin',
    summary: 'Lock pending orders of one network, to send them at its portal',
    access: 'orders',
    body: makeBatchRequest,
    reply: z.extend(batchReply, { refused: refusals }),
    errors: ['CONFLICT'],
  },
  'GET /admin/batches/:number': {
    id: 'readBatch',
    tag: 'admin',
    summary: 'One batch with its orders, and the format of its file',
    access: 'orders',
    params: batchParams,
    reply: batchReply,
    errors: ['NOT_FOUND'],
  },
  'PUT /admin/batches/:number/exported': {
    id: 'noteBatchExport',
    tag: 'admin',
    summary: 'Note that the list of a batch was downloaded or copied',
    access: 'orders',
    params: batchParams,
    reply: batchReply,
    errors: ['NOT_FOUND'],
  },
  'PUT /admin/batches/:number/settle': {
    id: 'settleBatch',
    tag: 'admin',
    summary: 'Complete, refund or release orders of a batch, each by itself; only who made it or an owner releases',
    access: 'orders',
    params: batchParams,
    body: settleBatchRequest,
    reply: z.extend(batchReply, { refused: refusals }),
    errors: ['NOT_FOUND'],
  },
  'PUT /admin/batches/:number/format': {
    id: 'changeBatchFormat',
    tag: 'admin',
    summary: "Change the format of the files of this batch's network",
    access: 'orders',
    params: batchParams,
    body: batchFormat,
    reply: batchReply,
    errors: ['NOT_FOUND'],
  },
})
