import { randomInt } from 'node:crypto'
import { NUMBER_CODE_DIGITS } from '../../../../shared/number-rules.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { Ctx } from '../../../platform/context.ts'
import { freeCap, lesserCap, noticeCap } from '../../../platform/day-caps.sql.ts'
import type { Tx } from '../../../platform/db.ts'
import { AppError } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { countShareRefused } from '../../../platform/metrics.ts'
import { PAYOUT_CODE_QUEUE, type SmsJob, smsJob } from '../../../platform/queues.ts'
import { NUMBER_CODE_GAP } from '../../messages/sms/compose-message.ts'
import { insertMessage, MESSAGES_OF_THE_DAY, type PartOfDay, selectIsDayFull } from '../../messages/sms/messages.sql.ts'
import { MOBILE } from '../../messages/sms/queries.ts'
import { sendMessage } from '../../messages/sms/send-message.ts'
import { selectIsConfirmed } from './confirmed-numbers.sql.ts'
import {
  type CodeFor,
  type CodePlace,
  countCodesSent,
  countFreeCodes,
  countNewcomersCodes,
  insertCode,
  selectCodeFor,
  selectCodeForOf,
  updateCodeHash,
} from './number-codes.sql.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Between two codes of an account to a number. */
export const APART_MS = MINUTE_MS
const WORKS_FOR_MS = 10 * MINUTE_MS
/** In a day: the shop pays for each, and the number may be that of somebody who wants none. */
const MOST_TO_A_NUMBER = 6
/** These many more are for the account that gives the number as its own, which no other account can meanwhile. */
const MORE_TO_ITS_ACCOUNT = 3
const MOST_BY_AN_ACCOUNT = 10
/** To numbers other than its own, by an account that has never paid for anything: anybody can make those. */
const MOST_TO_OTHERS = 2
/** In all by such an account, which may change its number each time. */
const MOST_BY_A_FREE_ACCOUNT = 4
/** Whatever accounts have had sent to it, among which may be the stranger's that has the number. */
const MOST_TO_NEWCOMER = 3

/** `body` has the gap for the digits; `instead` is the sentence for whoever gets no code. */
type Text = { body: string; instead: string }

/**
 * Adds a code for a number, to be sent once the caller's transaction has committed and the queue is woken. Returns how long to wait for another one,
 * in milliseconds. Asked for again within a minute, it adds none, so that two tabs send one.
 * @throws 409 CONFLICT where nothing can be sent, or was sent too often.
 */
export async function sendNumberCode(tx: Tx, ctx: Ctx, sms: SmsGateway, place: CodePlace, { body, instead }: Text): Promise<number> {
  if (!sms.sender || !MOBILE.test(place.phone)) throw new AppError('CONFLICT', `We can’t send a code by SMS now. ${instead}`)
  const { toNumber, byAccount, toOthers, lastAt } = await countCodesSent(tx, place, new Date(ctx.now.getTime() - DAY_MS))
  const waitMs = lastAt === null ? 0 : lastAt.getTime() + APART_MS - ctx.now.getTime()
  if (waitMs > 0) return waitMs
  // Strangers who ask for codes to a number do not keep the account that has confirmed it from its own.
  const isOwn = await selectIsConfirmed(tx, place)
  const codeFor = await selectCodeFor(tx, place)
  const most = MOST_TO_A_NUMBER + (codeFor.isOwn ? MORE_TO_ITS_ACCOUNT : 0)
  if ((!isOwn && toNumber >= most) || byAccount >= MOST_BY_AN_ACCOUNT) {
    throw new AppError('CONFLICT', `We have sent enough codes for today. ${instead}`)
  }
  const isFree = !isOwn && !codeFor.isBuyer
  if (isFree && (byAccount >= MOST_BY_A_FREE_ACCOUNT || (!codeFor.isOwn && toOthers >= MOST_TO_OTHERS))) {
    const rule = `Until you have bought something we send ${MOST_BY_A_FREE_ACCOUNT} codes a day, ${MOST_TO_OTHERS} of them to numbers other than your own.`
    throw new AppError('CONFLICT', `${rule} ${instead}`)
  }
  if (
    (await selectIsDayFull(tx, ctx.now, { reserved: isOwn, part: partOf(codeFor) })) ||
    (isFree && (await areFreeCodesUsedUp(tx, ctx, codeFor)))
  ) {
    countShareRefused(MESSAGES_OF_THE_DAY)
    throw new AppError('CONFLICT', `We can’t send any more SMS today. ${instead}`)
  }
  await addMessage(tx, ctx, { phone: place.phone, codeId: await insertCode(tx, place, ctx.now), body, reserved: isOwn })
  return APART_MS
}

/**
 * The same for somebody without an account, who gets the code's id as well: who does not have it can't try that code.
 * @throws 409 CONFLICT where nothing can be sent, or was sent too often or a moment ago.
 */
export async function sendNewcomersCode(
  tx: Tx,
  ctx: Ctx,
  sms: SmsGateway,
  phone: string,
  { body, instead }: Text,
): Promise<{ codeId: string; waitMs: number }> {
  if (!sms.sender || !MOBILE.test(phone)) throw new AppError('CONFLICT', `We can’t send a code by SMS now. ${instead}`)
  const { toNumber, inAll, mostInAll, lastAt } = await countNewcomersCodes(tx, phone, new Date(ctx.now.getTime() - DAY_MS))
  if (lastAt !== null && lastAt.getTime() + APART_MS > ctx.now.getTime()) {
    throw new AppError('CONFLICT', 'We sent a code to that number a moment ago. Please try again in a minute.')
  }
  if (toNumber >= MOST_TO_NEWCOMER) throw new AppError('CONFLICT', `We have sent enough codes to that number for today. ${instead}`)
  if (inAll >= mostInAll || (await selectIsDayFull(tx, ctx.now))) {
    countShareRefused(MESSAGES_OF_THE_DAY)
    throw new AppError('CONFLICT', `We can’t send any more SMS today. ${instead}`)
  }
  const codeId = await insertCode(tx, { userId: null, shopId: null, phone }, ctx.now)
  await addMessage(tx, ctx, { phone, codeId, body, reserved: false })
  return { codeId, waitMs: APART_MS }
}

/** Accounts are free: those that have bought nothing use an eighth of a day's messages for codes to their own numbers, and one for others. */
async function areFreeCodesUsedUp(tx: Tx, ctx: Ctx, { isOwn }: CodeFor): Promise<boolean> {
  const { inAll, mostInAll } = await countFreeCodes(tx, isOwn, new Date(ctx.now.getTime() - DAY_MS))
  return inAll >= mostInAll
}

/** So that codes to numbers of others, which anybody can make up, leave room for those that people have sent to their own. */
function partOf({ isOwn, isBuyer }: CodeFor): PartOfDay {
  if (isOwn) return lesserCap
  return isBuyer ? noticeCap : freeCap
}

type NewMessage = { phone: string; codeId: string; body: string; reserved: boolean }

async function addMessage(tx: Tx, ctx: Ctx, { phone, codeId, body, reserved }: NewMessage) {
  const id = await insertMessage(tx, {
    kind: 'payout-code',
    orderId: null,
    reportMessageId: null,
    payoutCodeId: codeId,
    receiver: phone,
    reserved,
    body,
    status: 'waiting',
    now: ctx.now,
  })
  if (id !== null) await ctx.jobs.enqueue(tx, PAYOUT_CODE_QUEUE, [smsJob(id)])
}

/**
 * Sends a message with a code, which is made now, so that it stands nowhere but in the message. Not sent when it was asked for so long
 * ago that nobody waits for it any more.
 * @throws when the service did not take it; the job's retries apply, each with a new code.
 */
export async function sendNumberCodeMessage(ctx: Ctx, gateway: SmsGateway, job: SmsJob): Promise<void> {
  await sendMessage(ctx, gateway, job, {
    queue: PAYOUT_CODE_QUEUE,
    partOf: async (tx, { payoutCodeId }) => (payoutCodeId === null ? lesserCap : partOf(await selectCodeForOf(tx, payoutCodeId))),
    fillIn: async (tx, { payoutCodeId, body }) => {
      const code = payoutCodeId === null ? null : await createCode(tx, payoutCodeId, ctx.now)
      return code === null ? null : body.replace(NUMBER_CODE_GAP, code)
    },
  })
}

async function createCode(tx: Tx, id: string, now: Date): Promise<string | null> {
  const code = String(randomInt(10 ** NUMBER_CODE_DIGITS)).padStart(NUMBER_CODE_DIGITS, '0')
  const askedSince = new Date(now.getTime() - WORKS_FOR_MS)
  const isWanted = await updateCodeHash(tx, {
    id,
    hash: hashNumberCode(id, code),
    endsAt: new Date(now.getTime() + WORKS_FOR_MS),
    askedSince,
  })
  return isWanted ? code : null
}

/** With its id, so that equal codes have different hashes. */
export function hashNumberCode(id: string, code: string): Buffer {
  return hashToken(`payout code ${id} ${code}`)
}
