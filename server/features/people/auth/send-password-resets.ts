import { randomBytes } from 'node:crypto'
import { isoDay } from '../../../../shared/dates.ts'
import type { Mailer } from '../../../integrations/mail/mailer.ts'
import type { Ctx } from '../../../platform/context.ts'
import { countDropped } from '../../../platform/day-caps.sql.ts'
import { transaction } from '../../../platform/db.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { countShareRefused } from '../../../platform/metrics.ts'
import { countLesserMail, countMail, giveBackMail } from './count-mail.ts'
import {
  ASKED_TOO_OFTEN,
  claimResetRequests,
  countEarlierRequests,
  delayResetRequest,
  finishResetRequest,
  type ResetRequest,
  replaceResetToken,
  selectUserByEmail,
} from './password-resets.sql.ts'

/** Settings for password mails; `shopPhone` and `shopEmail` are contacts for recipients who did not request one. */
export type ResetMail = {
  mailer: Mailer
  publicUrl: () => string
  shopName: string
  shopPhone: string
  shopEmail: string
  /** The most mails in a day (UTC). */
  dailyCap: number
}

const HOUR_MS = 3_600_000
const TOKEN_LIFETIME_MS = HOUR_MS
const DAY_MS = 24 * HOUR_MS
const MOST_PER_HOUR = 3
/** So that a few accounts, each known for a bundle of one cedi, do not use up a day's mails. */
const MOST_PER_DAY = 6
const MOST_ATTEMPTS = 6
const AT_ONCE = 10
/** After this, a request claimed by a dead process is claimed again. */
const CLAIM_MS = 60_000

/**
 * Mails a link to everyone who requested one and has an account. The token exists only in the mail: a retry makes a new one
 * and invalidates the old.
 */
export async function sendPasswordResets(ctx: Ctx, mail: ResetMail): Promise<void> {
  const nextAt = new Date(ctx.now.getTime() + CLAIM_MS)
  // Repeat until none is left: otherwise many requests for unknown addresses would delay everyone else's mail.
  for (;;) {
    const claimed = await claimResetRequests(ctx.db, { now: ctx.now, nextAt, limit: AT_ONCE })
    await Promise.all(claimed.map((request) => sendOne(ctx, mail, request)))
    if (claimed.length < AT_ONCE) return
  }
}

async function sendOne(ctx: Ctx, mail: ResetMail, request: ResetRequest) {
  const user = await selectUserByEmail(ctx.db, request.email)
  if (!user) return finishResetRequest(ctx.db, request.id, 'no active account has this address')
  const earlier = await countEarlierRequests(ctx.db, request, new Date(request.requestedAt.getTime() - HOUR_MS))
  const ofTheDay = await countEarlierRequests(ctx.db, request, new Date(request.requestedAt.getTime() - DAY_MS))
  if (earlier >= MOST_PER_HOUR || ofTheDay >= MOST_PER_DAY) return finishResetRequest(ctx.db, request.id, ASKED_TOO_OFTEN)
  // Accounts are free: those that have neither bought nor confirmed anything share a part of the day's mails.
  if (!(user.isKnown ? await countMail(ctx, mail) : await countLesserMail(ctx, mail, false))) {
    ctx.log.error({ requestId: request.id }, 'a password mail was dropped: the mails of the day are used up')
    countShareRefused('mails of the day')
    if (!user.isKnown) await transaction(ctx.db, (tx) => countDropped(tx, 'mail_days', isoDay(ctx.now)))
    return finishResetRequest(ctx.db, request.id, 'the mails of the day are used up')
  }

  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(ctx.now.getTime() + TOKEN_LIFETIME_MS)
  await transaction(ctx.db, (tx) => replaceResetToken(tx, { tokenHash: hashToken(token), userId: user.id, now: ctx.now, expiresAt }))

  const sent = await mail.mailer.send({
    to: user.email,
    subject: `Choose a new password for ${mail.shopName}`,
    text: letter({ username: user.username, shopName: mail.shopName, link: `${mail.publicUrl()}/reset-password/${token}` }),
  })
  if (sent.outcome === 'accepted') return finishResetRequest(ctx.db, request.id, null)
  await giveBackMail(ctx)
  ctx.log.warn({ requestId: request.id, outcome: sent.outcome, reason: sent.reason }, 'a password mail was not accepted')
  if (sent.outcome === 'rejected' || request.attempts >= MOST_ATTEMPTS) return finishResetRequest(ctx.db, request.id, sent.reason)
  await delayResetRequest(ctx.db, request.id, new Date(ctx.now.getTime() + 10_000 * 2 ** request.attempts), sent.reason)
}

function letter({ username, shopName, link }: { username: string; shopName: string; link: string }): string {
  return `Hello ${username},

Someone asked to choose a new password for your ${shopName} account. If that was you, open this link within one hour:

${link}

It works once. If it was not you, leave this mail alone: your password stays as it is.

${shopName}
`
}
