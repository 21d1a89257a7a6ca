import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelName } from '../../../../shared/channel-rules.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Queryable, type Tx, transaction } from '../../../platform/db.ts'
import { TooManyAttempts } from '../../../platform/errors.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import type { SecretsKey } from '../../../platform/seal-secret.ts'
import {
  appendRequest,
  type ConversationRow,
  deleteClaim,
  deleteExpired,
  lockConversation,
  selectConversation,
  selectEarlierState,
  updateAnswer,
  updateClaim,
} from './conversations.sql.ts'
import { type ChannelRow, selectBought, selectChannel, selectCustomer } from './customers.sql.ts'
import { openWithPin, placePurchase } from './place-purchase.ts'
import { boughtWords, clientIdOf, endState, type Screen, type State, takeFirstStep, takeStep, toScreen, type World } from './take-step.ts'

/** A way to talk with customers. `fits`: whether a screen can be shown as it is. */
export type Channel = {
  name: ChannelName
  /** How long a conversation waits for its customer. */
  sessionMs: number
  fits: (screen: Screen) => boolean
  /** Whose phone it is. `isConfirmed`: the balance and former purchases are shown without the PIN. */
  findOwner: (db: Queryable, phone: string) => Promise<{ userId: string; isConfirmed: boolean } | null>
  /** The first statement of each write for the customer. @throws when the phone is no longer theirs, or they are banned. */
  lockOwner: (tx: Tx, owner: { userId: string; phone: string }) => Promise<unknown>
  /** Notes that the PIN was given from this phone. */
  confirm?: (tx: Tx, owner: { userId: string; phone: string }, now: Date) => Promise<unknown>
}

export type Talking = {
  limiter: RateLimiter
  secretsKey: SecretsKey | null
  shop: { readonly name: string; readonly phone: string; readonly mode: 'sandbox' | 'live' }
  publicUrl: () => string
  onOrders: () => void
}

/**
 * What came from a customer. `request` tells a repeated request from a new one: its own id or its number in the session, from 1. Null where
 * the gateway names none: then the same text within two seconds is a repetition.
 */
export type Input = {
  session: string
  phone: string
  text: string
  isFirst: boolean
  request: { id: string } | { number: number } | null
}

const INPUTS = { size: 40, everyMs: 2_000 }
/** Longer than a PIN's check and a purchase take. */
const BUSY_MS = 20_000
const WAIT_MS = 8_000
const LOOK_EVERY_MS = 100
const REPEATED_WITHIN_MS = 2_000
/** How long what somebody was buying is offered again. */
const RESUMED_MS = 15 * 60_000
const KEPT_MS = 24 * 60 * 60_000

/**
 * Answers one input of a conversation, once: a repeated, late or simultaneous request gets the answer of the first, over all processes.
 * Neither PIN nor text is kept.
 * @throws what is no customer's doing; the same request may then come again.
 */
export async function receiveInput(ctx: Ctx, deps: Talking, channel: Channel, input: Input): Promise<Screen> {
  const rules = await selectChannel(ctx.db, channel.name)
  if (!(rules.isOn ?? deps.shop.mode === 'sandbox'))
    return toScreen(endState(`Buying here is switched off just now. Please go to ${addressOf(deps)}`))
  try {
    await deps.limiter.take([{ name: `${channel.name} of ${input.phone}`, ...INPUTS }])
  } catch (error) {
    if (error instanceof TooManyAttempts) return toScreen(endState('Too many requests. Please try again in a minute.'))
    throw error
  }
  const claim = await claimRequest(ctx, channel, input)
  if ('screen' in claim) return claim.screen
  try {
    const world = await openWorld(ctx, deps, channel, input.phone, rules)
    const state = claim.state ? await goOn(world, deps, channel, claim.state, input.text.trim()) : await begin(world, claim)
    const expiresAt = new Date(ctx.now.getTime() + channel.sessionMs)
    await updateAnswer(ctx.db, claim.id, { by: claim.by, state, screen: toScreen(state), mark: claim.mark, now: ctx.now, expiresAt })
    return toScreen(state)
  } catch (error) {
    await deleteClaim(ctx.db, claim.id, claim.by).catch(() => undefined)
    throw error
  }
}

/** What a phone would be shown first; nothing is kept of it. */
export async function previewFirst(ctx: Ctx, deps: Talking, channel: Channel, phone: string): Promise<Screen> {
  const world = await openWorld(ctx, deps, channel, phone, await selectChannel(ctx.db, channel.name))
  return toScreen(await takeFirstStep(world, null))
}

/**
 * What came of a request with an id that nobody finished answering: the answer, if there was one by then, or that its purchase was made; null when it
 * did nothing. For requests that cannot be answered as usual any more.
 */
export async function readOutcome(
  db: Queryable,
  channel: Channel,
  { session, phone, id }: { session: string; phone: string; id: string },
): Promise<string | null> {
  const row = await selectConversation(db, channel.name, session)
  if (row?.phone !== phone || !row.state) return null
  if (row.screen && row.requests.at(-1) === markOfId(id)) return row.screen.text
  if (row.requests.includes(markOfId(id))) return 'We had that message already. Write TRACK to see your orders, or MENU.'
  const { typed } = row.state
  const owner = await channel.findOwner(db, phone)
  if (!owner || typed?.as !== 'pin' || !('buying' in typed)) return null
  const seq = await selectBought(db, owner.userId, clientIdOf(channel.name, typed.buying))
  return seq === null ? null : boughtWords(seq, typed.buying)
}

async function openWorld(ctx: Ctx, deps: Talking, channel: Channel, phone: string, rules: ChannelRow): Promise<World> {
  const owner = await channel.findOwner(ctx.db, phone)
  const found = owner && (await selectCustomer(ctx.db, owner.userId))
  const customer = owner && found && { ...found, isConfirmed: owner.isConfirmed }
  const { shop, limiter } = deps
  return { ctx, limiter, channel, rules, phone, customer, shop, address: addressOf(deps) }
}

async function begin(world: World, { id, before }: Pick<Claim, 'id' | 'before'>): Promise<State> {
  const { ctx, channel, phone } = world
  await deleteExpired(ctx.db, new Date(ctx.now.getTime() - KEPT_MS))
  const since = new Date(ctx.now.getTime() - RESUMED_MS)
  return takeFirstStep(world, before ?? (await selectEarlierState(ctx.db, { channel: channel.name, phone, before: id, since })))
}

async function goOn(world: World, deps: Talking, channel: Channel, state: State, text: string): Promise<State> {
  const step = await takeStep(world, state, text)
  if ('state' in step) return step.state
  const { ctx, customer, phone } = world
  const owner = { userId: customer?.id ?? '', phone }
  const purchasing = {
    onByDefault: deps.shop.mode === 'sandbox',
    secretsKey: deps.secretsKey,
    lockOwner: (tx: Tx) => channel.lockOwner(tx, owner),
    confirm: (tx: Tx) => channel.confirm?.(tx, owner, ctx.now) ?? Promise.resolve(),
    onOrders: deps.onOrders,
  }
  const { pin, wanted } = step
  if ('buying' in wanted) return placePurchase(world, { state, buying: wanted.buying, pin }, purchasing)
  return openWithPin(world, { state, goesTo: wanted.goesTo, pin }, purchasing)
}

/** `state`: where the conversation goes on, or null for a new one. `before`: where this one was a moment ago, if it begins anew. */
type Claim = { id: string; by: string; mark: string; state: State | null; before: State | null }

/** The right to answer a request, or the screen that answers it already. */
async function claimRequest(ctx: Ctx, channel: Channel, input: Input): Promise<Claim | { screen: Screen }> {
  const givenUpAt = Date.now() + WAIT_MS
  for (let hasWaited = false; ; hasWaited = true) {
    const claim = await transaction(ctx.db, (tx) => tryClaim(tx, ctx.now, channel, input, hasWaited))
    if (claim !== 'busy') return claim
    if (Date.now() > givenUpAt) return { screen: toScreen(endState('We are still at it. Come back in a minute, and choose Track.')) }
    await sleep(LOOK_EVERY_MS)
  }
}

async function tryClaim(
  tx: Tx,
  now: Date,
  channel: Channel,
  input: Input,
  hasWaited: boolean,
): Promise<Claim | { screen: Screen } | 'busy'> {
  const { session, phone, request } = input
  const row = await lockConversation(tx, { channel: channel.name, session, phone, now })
  if (row.phone !== phone) return { screen: toScreen(endState('That did not work. Please start again.')) }
  if (row.busyUntil && row.busyUntil > now) return 'busy'
  const mark = markOf(input)
  // A gateway's session is over once it has ended; a chat, whose messages have ids, begins again.
  const hasIds = request !== null && 'id' in request
  const isOver = row.screen?.ended || input.isFirst
  const restart = row.state === null || row.expiresAt <= now || (hasIds && isOver && !row.requests.includes(mark))
  if (!restart && row.screen) {
    if ((isOver && !hasIds) || isRepeated(row, { request, mark, now, hasWaited })) return { screen: row.screen }
    // One before it got lost on its way, so this is no answer to what was shown.
    if (request && 'number' in request && request.number > lastNumber(row) + 1) {
      await appendRequest(tx, row.id, mark)
      return { screen: row.screen }
    }
  }
  const by = randomUUID()
  await updateClaim(tx, row.id, { by, until: new Date(now.getTime() + BUSY_MS), restart, keepRequests: hasIds, now })
  const before = restart && row.expiresAt > now ? row.state : null
  return { id: row.id, by, mark, state: restart ? null : row.state, before }
}

/** What tells one request from the next. Of a PIN, and of what might be one, not even a hash is kept. */
function markOf({ request, text }: Input): string {
  if (request && 'number' in request) return `#${request.number}`
  if (request) return markOfId(request.id)
  return /^\s*\d{4,6}\s*$/.test(text) ? 'digits' : createHash('sha256').update(text.trim()).digest('hex')
}

function markOfId(id: string): string {
  return `id ${id}`
}

type Asked = { request: Input['request']; mark: string; now: Date; hasWaited: boolean }

function isRepeated(row: ConversationRow, { request, mark, now, hasWaited }: Asked): boolean {
  if (request && 'number' in request) return request.number <= lastNumber(row)
  if (request) return row.requests.includes(mark)
  const isSoon = row.answeredAt !== null && now.getTime() - row.answeredAt.getTime() < REPEATED_WITHIN_MS
  return (hasWaited || isSoon) && row.requests.at(-1) === mark
}

function lastNumber({ requests }: ConversationRow): number {
  return Math.max(0, ...requests.filter((mark) => mark.startsWith('#')).map((mark) => Number(mark.slice(1))))
}

function addressOf({ publicUrl }: Talking): string {
  return publicUrl().replace(/^https?:\/\//, '')
}
