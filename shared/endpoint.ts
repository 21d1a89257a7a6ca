import * as z from 'zod/mini'
import { ERROR_STATUS, type ErrorCode } from './errors.ts'
import type { WantedRole } from './staff-rules.ts'

/**
 * Who may call an endpoint: anyone, whoever is signed in, or staff with a role. Writes check again in their transaction
 * (`requireStaff`), since rights may change during a request.
 */
export type Access = 'anyone' | 'signed-in' | WantedRole

/** The groups of the API description. */
export const TAGS = {
  sessions: 'Sign in, sign out and choose a new password',
  users: 'Accounts',
  wallet: 'Wallet balances',
  products: 'The catalogue',
  contacts: 'Names for the numbers one buys for',
  orders: 'Buy bundles and follow orders',
  recharges: 'Wallet top-ups by mobile money',
  payments: 'Card payments',
  notice: 'The notice to customers and where to send mobile money',
  stats: 'Sales figures',
  admin: 'Running the shop',
  export: 'CSV files',
  'agent-shops': "Agents' own shops, and what guests buy there",
  bulk: 'Lists of many orders that agents place at once',
  referrals: 'Customers whom agents invite',
  shop: 'The shop itself',
} as const

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Schema = z.core.$ZodType
export type Part = 'params' | 'query' | 'body' | 'headers'

export type Endpoint = {
  /** Unique: the `operationId` in the API description. */
  id: string
  tag: keyof typeof TAGS
  summary: string
  /** More than the summary, in Markdown: for calls that outside clients use. */
  description?: string
  access: Access
  /** The schema of a successful reply, or `csv` for a file. */
  reply: Schema | 'csv'
  /** The reply is one page of a list; the header X-Total-Count carries the number of all matches. */
  list?: true
  /** Errors specific to this endpoint. `errorsOf` adds those that every endpoint may return. */
  errors?: readonly ErrorCode[]
  /** Left out of the API description, since only a provider calls it. */
  hidden?: true
} & { [P in Part]?: Schema }

export type Endpoints = Record<`${Method} /${string}`, Endpoint>

/** Declares endpoints by method and path under `/api`. The server mounts them; the browser and the tests call them. */
/* @__NO_SIDE_EFFECTS__ */
export function endpoints<const E extends Endpoints>(declared: E): E {
  return declared
}

/** Path parameters with the id of one of our records. */
/* @__NO_SIDE_EFFECTS__ */
export function idParam(what: string) {
  return z.object({ id: z.uuid({ error: `That ${what} does not exist.` }) })
}

/** A reply that only confirms what was done. */
export const messageReply = z.object({ message: z.string() })

type ReplyBody<E> = E extends { reply: infer S extends Schema } ? z.output<S> : never

/** What a handler returns and the browser receives. */
export type Reply<E> = E extends { list: true } ? { rows: ReplyBody<E>; total: number; more?: boolean } : ReplyBody<E>

/** The parsed parts of a request, as the handler receives them. */
export type Received<E> = { [P in Part & keyof E]: z.output<Extract<E[P], Schema>> }

export function isForStaff(access: Access): access is WantedRole {
  return access !== 'anyone' && access !== 'signed-in'
}

/** Every error code that an endpoint may return. */
export function errorsOf(endpoint: Endpoint, method: string): ErrorCode[] {
  const { access, errors = [] } = endpoint
  const codes: ErrorCode[] = [...errors, 'TOO_MANY_REQUESTS', 'UNAVAILABLE', 'INTERNAL']
  if (access !== 'anyone') codes.push('UNAUTHENTICATED', 'BANNED')
  if (isForStaff(access)) codes.push('FORBIDDEN')
  if (isForStaff(access) && method !== 'GET') codes.push('PASSWORD_NEEDED', 'SECOND_FACTOR_NEEDED')
  if (method !== 'GET' || endpoint.params || endpoint.query) codes.push('INVALID')
  if (method !== 'GET') codes.push('TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE')
  return [...new Set(codes)].sort((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b])
}
