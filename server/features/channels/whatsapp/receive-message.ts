import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReceivedMessage, WhatsappGateway, WhatsappText } from '../../../integrations/whatsapp/whatsapp-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { ServiceUnavailable, TooManyAttempts } from '../../../platform/errors.ts'
import { WHATSAPP_QUEUE, whatsappJob } from '../../../platform/queues.ts'
import { readCatalogue } from '../../catalogue/products/queries.ts'
import { selectUser } from '../../people/users/users.sql.ts'
import { type Input, readOutcome, receiveInput, type Talking } from '../conversations/receive-input.ts'
import type { Screen } from '../conversations/take-step.ts'
import { composePrices, composeScreen, WORDS } from './compose-answer.ts'
import { confirmLink } from './confirm-link.ts'
import { findOwner, whatsappChannel } from './find-owner.ts'
import { insertMessage } from './messages.sql.ts'
import {
  deleteClaim,
  endClaim,
  insertReceived,
  isReceived,
  type MessageClaim,
  noteHeard,
  type Place,
  selectChat,
  selectIsOn,
  takeClaim,
  updateClaimSession,
  updatePlace,
  updateStopped,
} from './whatsapp.sql.ts'

export type Answering = Talking & { gateway: WhatsappGateway }

/** Meta sends a webhook again for up to seven days; ids are kept for thirty. */
const FORGOTTEN_MS = 7 * 24 * 3_600_000
/** Who wrote this long ago has likely bought otherwise by now. */
const LATE_MS = 10 * 60_000
/** Longer than an answer takes. */
const CLAIMED_MS = 20_000
const WAIT_MS = 8_000
const LOOK_EVERY_MS = 100
/** A conversation at full speed, and then a message every three seconds. */
const OF_PHONE = { size: 40, everyMs: 3_000 }
const DAY_MS = 24 * 3_600_000
/** All share the messages that the shop sends a day, so that no number may use them up: a customer's, and one without an account. */
const OF_CUSTOMER = { size: 200, everyMs: DAY_MS / 200 }
const OF_STRANGER = { size: 30, everyMs: DAY_MS / 30 }

const WORD = {
  menu: /^(hi|hello|hey|menu|main menu|buy|shop)[.! ]*$/i,
  stop: /^(stop|unsubscribe|opt[ -]?out)[.! ]*$/i,
  start: /^(start|resume|opt[ -]?in)[.! ]*$/i,
  prices: /^(prices?|price ?list|packages|bundles)[.!? ]*$/i,
  link: /^(?:link|connect)[ :]+(\d{3})[ -]?(\d{3})[. ]*$/i,
}
/** Words that lead to an entry of the menu, which is found by its label. */
const ENTRIES: [RegExp, RegExp][] = [
  [/^(balance|wallet|bal)[.!? ]*$/i, /balance/i],
  [/^(track|orders?|status)[.!? ]*$/i, /track/i],
  [/^(help|info)[.!? ]*$/i, /help/i],
  [/^(again|buy again|repeat)[.! ]*$/i, /^buy again/i],
]
const START_AGAIN = /^start again/i
/** A choice from a list: the list's name and the key. */
const CHOICE = /^([0-9a-f]{8})\.(.{1,50})$/

/** `place`: where the chat then stands; without it, where it stood. */
type Answer = { body: WhatsappText; place?: Place }

/**
 * Answers one message of a customer, once, and queues the answer. What the customer wrote may be a PIN: it is passed on and kept nowhere.
 * @throws ServiceUnavailable while somebody else answers it, and whatever the database throws; then Meta sends the message again.
 */
export async function receiveMessage(ctx: Ctx, deps: Answering, message: ReceivedMessage): Promise<void> {
  const { id, at } = message
  if (ctx.now.getTime() - at.getTime() > FORGOTTEN_MS || (await isReceived(ctx.db, id))) return
  const claim = await claimMessage(ctx, id)
  if (!claim) return
  try {
    await answerMessage(ctx, deps, message, claim)
  } catch (error) {
    await endClaim(ctx.db, claim, ctx.now).catch(() => undefined)
    throw error
  }
}

/** The right to answer it, which one process has at a time; null when it has been answered meanwhile. */
async function claimMessage(ctx: Ctx, id: string): Promise<MessageClaim | null> {
  const givenUpAt = Date.now() + WAIT_MS
  for (;;) {
    const until = new Date(ctx.now.getTime() + CLAIMED_MS)
    const claim = await takeClaim(ctx.db, { id, by: randomUUID(), now: ctx.now, until })
    if (claim) return claim
    if (await isReceived(ctx.db, id)) return null
    if (Date.now() > givenUpAt) throw new ServiceUnavailable()
    await sleep(LOOK_EVERY_MS)
  }
}

async function answerMessage(ctx: Ctx, deps: Answering, message: ReceivedMessage, claim: MessageClaim): Promise<void> {
  const { id, phone, at } = message
  // Each answer costs the shop money.
  if (await isTooOften(ctx, deps, phone)) return void (await transaction(ctx.db, (tx) => noteReceived(tx, { id, phone, now: ctx.now })))
  const answer = await compose(ctx, deps, message, claim)
  await transaction(ctx.db, async (tx) => {
    if (!(await noteReceived(tx, { id, phone, now: ctx.now }))) return
    await noteHeard(tx, phone, new Date(Math.min(at.getTime(), ctx.now.getTime())))
    const { body, place } = typeof answer === 'function' ? await answer(tx) : answer
    if (place) await updatePlace(tx, phone, place)
    const reply = await insertMessage(tx, { kind: 'reply', phone, replyTo: id, body, now: ctx.now })
    if (reply !== null) await ctx.jobs.enqueue(tx, WHATSAPP_QUEUE, [whatsappJob(reply)])
  })
  ctx.jobs.wake(WHATSAPP_QUEUE)
}

async function noteReceived(tx: Tx, received: { id: string; phone: string; now: Date }): Promise<boolean> {
  await deleteClaim(tx, received.id)
  return insertReceived(tx, received)
}

async function isTooOften({ db }: Ctx, { limiter }: Answering, phone: string): Promise<boolean> {
  const who = (await findOwner(db, phone)) === null ? 'stranger' : 'customer'
  try {
    await limiter.take([
      { name: `whatsapp messages of ${phone}`, ...OF_PHONE },
      { name: `whatsapp messages of the day of ${who} ${phone}`, ...(who === 'customer' ? OF_CUSTOMER : OF_STRANGER) },
    ])
    return false
  } catch (error) {
    if (error instanceof TooManyAttempts) return true
    throw error
  }
}

/** The answer, or what makes it in the transaction that keeps it. */
async function compose(
  ctx: Ctx,
  deps: Answering,
  message: ReceivedMessage,
  claim: MessageClaim,
): Promise<Answer | ((tx: Tx) => Promise<Answer>)> {
  const { phone, at } = message
  const said = message.text?.trim() ?? ''
  if (!(await selectIsOn(ctx.db, deps.shop.mode === 'sandbox'))) return { body: { text: WORDS.off(deps.publicUrl()) } }
  const chat = await selectChat(ctx.db, phone)
  const isOvertaken = chat !== null && at < chat.heardAt
  if (isOvertaken || ctx.now.getTime() - at.getTime() > LATE_MS) {
    // An attempt that died may have done something with it.
    const outcome = claim.session && (await readOutcome(ctx.db, whatsappChannel, { session: claim.session, phone, id: message.id }))
    return { body: { text: outcome || (isOvertaken ? WORDS.overtaken : WORDS.late) } }
  }
  if (said === '') return { body: { text: WORDS.textOnly } }
  if (WORD.stop.test(said)) return async (tx) => setNews(tx, phone, ctx.now)
  if (WORD.start.test(said)) return async (tx) => setNews(tx, phone, null)
  const [, one, other] = WORD.link.exec(said) ?? []
  if (one !== undefined && other !== undefined) {
    return async (tx) => {
      const outcome = await confirmLink(tx, ctx, { phone, code: `${one}${other}` })
      return { body: { text: WORDS[outcome](deps.shop.name, deps.publicUrl()) }, place: { session: null, list: null } }
    }
  }
  if (WORD.prices.test(said)) return { body: { text: await listPrices(ctx, phone) } }
  return converse(ctx, deps, { message, claim, said, place: chat })
}

async function setNews(tx: Tx, phone: string, stoppedAt: Date | null): Promise<Answer> {
  await updateStopped(tx, phone, stoppedAt)
  return { body: { text: stoppedAt ? WORDS.stopped : WORDS.started } }
}

async function listPrices(ctx: Ctx, phone: string): Promise<string> {
  const owner = await findOwner(ctx.db, phone)
  const user = owner && (await selectUser(ctx.db, owner.userId))
  return composePrices(await readCatalogue(ctx.db), user?.level ?? 'Customer')
}

/** One turn of the conversation. One that has ended is followed by a new one, named after the message that begins it. */
async function converse(
  ctx: Ctx,
  deps: Answering,
  { message, claim, said, place }: { message: ReceivedMessage; claim: MessageClaim; said: string; place: Place | null },
): Promise<Answer> {
  const { id, phone } = message
  const [, list, key] = CHOICE.exec(said) ?? []
  if (list !== undefined && list !== place?.list) return { body: { text: WORDS.oldList } }
  const entry = ENTRIES.find(([word]) => word.test(said))?.[1]
  const begins = place?.session == null || entry !== undefined || WORD.menu.test(said)
  const session = begins ? createHash('sha256').update(id).digest('hex').slice(0, 40) : (place?.session ?? '')
  if (!(await updateClaimSession(ctx.db, claim, session))) throw new ServiceUnavailable()
  const ask = (input: Pick<Input, 'text' | 'isFirst'> & { turn: string }) =>
    receiveInput(ctx, deps, whatsappChannel, {
      session,
      phone,
      text: input.text,
      isFirst: input.isFirst,
      request: { id: `${id}${input.turn}` },
    })

  let screen = await ask({ text: key ?? said, isFirst: begins, turn: '' })
  for (const wanted of entry ? [START_AGAIN, entry] : []) {
    const option = screen.options.find(({ label }) => wanted.test(label))
    if (option) screen = await ask({ text: option.key, isFirst: false, turn: ` ${wanted.source}` })
  }
  const isUnknown = begins && entry === undefined && (await findOwner(ctx.db, phone)) === null
  const shown = isUnknown ? { ...screen, text: WORDS.unknown(deps.shop.name, deps.publicUrl(), phone) } : screen
  return toAnswer(shown, session)
}

/** The choices carry the name of their list, so that pressing one that was sent before does nothing. */
function toAnswer(screen: Screen, session: string): Answer {
  const { options, ...text } = composeScreen(screen)
  const place = { session: screen.ended ? null : session, list: null }
  if (!options) return { body: text, place }
  const list = createHash('sha256')
    .update(JSON.stringify([session, screen.text, screen.options]))
    .digest('hex')
    .slice(0, 8)
  return { body: { ...text, options: options.map((option) => ({ ...option, id: `${list}.${option.id}` })) }, place: { ...place, list } }
}
