import { randomInt } from 'node:crypto'
import { formatShortTime } from '../../../../shared/dates.ts'
import { formatPesewas, toPesewas } from '../../../../shared/money.ts'
import { MAX_OPEN_WITHDRAWALS } from '../../../../shared/withdrawal-rules.ts'
import type { WithdrawalRequest } from '../../../../shared/withdrawals.ts'
import type { Payouts } from '../../../integrations/payments/payouts.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { isDatabaseError, transaction } from '../../../platform/db.ts'
import { AppError, InsufficientBalance, KeyReused, NotFound, PinRequired } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { noteProof } from '../../people/transaction-pin/transaction-pin.sql.ts'
import { chooseHeldSince } from './choose-hold.ts'
import { chooseLeast } from './choose-least.ts'
import { lockEarningsOf, selectHeld } from './earnings.sql.ts'
import { postRequested } from './post-withdrawal.ts'
import { type Rules, selectRules } from './rules.sql.ts'
import {
  insertWithdrawal,
  type Standing,
  selectStanding,
  selectUnapproved,
  selectWithdrawalByKey,
  type WithdrawalRow,
} from './withdrawals.sql.ts'

/** `guard_withdrawal_pin` says so. */
const LACKS_PIN = 'DW014'
const DAY_MS = 24 * 3_600_000
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'
const REFERENCE_LENGTH = 24

type How = { key: string; pinProof?: string | undefined }

/**
 * Takes earnings out of the agent's wallet and notes them for a payout: at once for a number that was paid before or is confirmed, within
 * the day's limit, otherwise once a person has approved. The same key withdraws once. `pinProof` is what `createPinProof` made, for who has
 * switched their PIN on.
 * @throws PinRequired; NotFound without a shop; 409 CONFLICT when the rules say no; InsufficientBalance; KeyReused.
 */
export async function requestWithdrawal(
  ctx: Ctx,
  payouts: Payouts,
  request: WithdrawalRequest,
  { key, pinProof }: How,
): Promise<WithdrawalRow> {
  const { id: userId } = requireActor(ctx)
  const amountPesewas = toPesewas(request.amount)
  const { phoneNumber: phone, network, name } = request
  return transaction(ctx.db, async (tx) => {
    await lockActor(tx, ctx)
    const earnings = await lockEarningsOf(tx, userId)
    if (!earnings) throw new NotFound('shop')
    const { shopId } = earnings
    const before = await selectWithdrawalByKey(tx, shopId, key)
    if (before) {
      if (before.amountPesewas !== amountPesewas || before.phone !== phone || before.network !== network) throw new KeyReused()
      return before
    }
    const rules = await selectRules(tx)
    const standing = await selectStanding(tx, { shopId, network, phone })
    const unapprovedPesewas = await selectUnapproved(tx, shopId, new Date(ctx.now.getTime() - DAY_MS))
    const leastPesewas = chooseLeast(rules, payouts.available)
    refuse(rules, standing, { amountPesewas, feeSeenPesewas: toPesewas(request.fee), leastPesewas })
    const held = await selectHeld(tx, shopId, chooseHeldSince(ctx.now, rules.holdNights))
    const withdrawablePesewas = Math.max(0, earnings.balancePesewas - held.pesewas)
    if (amountPesewas > withdrawablePesewas) {
      throw new InsufficientBalance(`You can withdraw up to GHS ${formatPesewas(withdrawablePesewas)} now.`)
    }
    const reason = whyApproval(rules, standing, {
      providerPays: payouts.available,
      dayPesewas: unapprovedPesewas + amountPesewas,
      now: ctx.now,
    })
    if (pinProof !== undefined) await noteProof(tx, hashToken(pinProof))
    const withdrawal = await insertWithdrawal(tx, {
      shopId,
      requestedBy: userId,
      key,
      reference: makePayoutReference(),
      amountPesewas,
      feePesewas: rules.feePesewas,
      network,
      phone,
      name,
      newNumber: !standing.isKnown,
      status: reason === null ? 'ready' : 'approval',
      reason,
      now: ctx.now,
    }).catch((error: unknown) => {
      throw isDatabaseError(error, LACKS_PIN) ? new PinRequired() : error
    })
    if (!withdrawal) throw new KeyReused()
    await postRequested(tx, withdrawal, earnings.accountId, { now: ctx.now, actorId: userId })
    return withdrawal
  })
}

type Asked = { amountPesewas: number; feeSeenPesewas: number; leastPesewas: number }

function refuse({ enabled, feePesewas }: Rules, { open }: Standing, { amountPesewas, feeSeenPesewas, leastPesewas }: Asked) {
  if (!enabled) throw new AppError('CONFLICT', 'Withdrawals are closed at the moment. Your earnings are safe; please try again later.')
  if (feeSeenPesewas !== feePesewas) {
    throw new AppError('CONFLICT', `The fee is GHS ${formatPesewas(feePesewas)} now. Please look again before you withdraw.`)
  }
  if (amountPesewas < leastPesewas) throw new AppError('CONFLICT', `The least you can withdraw is GHS ${formatPesewas(leastPesewas)}.`)
  if (open >= MAX_OPEN_WITHDRAWALS) {
    throw new AppError('CONFLICT', `${MAX_OPEN_WITHDRAWALS} withdrawals are on their way already. Please wait until one is paid.`)
  }
}

/** Why a person looks first, as a sentence for the agent; null when the payout goes out by itself. */
function whyApproval(
  rules: Rules,
  { isKnown, freeAt, isClosed }: Standing,
  { providerPays, dayPesewas, now }: { providerPays: boolean; dayPesewas: number; now: Date },
): string | null {
  if (rules.byHand || !providerPays) return 'We pay it from our phone, usually the same day.'
  if (isClosed) return 'Your shop was closed by us, so we look first.'
  if (!isKnown && freeAt === null) return 'New number, so we look first.'
  if (!isKnown && freeAt !== null && freeAt > now) {
    return `Your phone, e-mail or password was changed lately, so we look first. From ${formatShortTime(freeAt, now)} on it goes out at once.`
  }
  if (dayPesewas <= rules.unapprovedPesewas) return null
  return rules.unapprovedPesewas === 0
    ? 'We look at every withdrawal first.'
    : `More than GHS ${formatPesewas(rules.unapprovedPesewas)} in a day, so we look first.`
}

/** The provider takes lower-case letters and digits, 16 or more. */
function makePayoutReference(): string {
  return Array.from({ length: REFERENCE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}
