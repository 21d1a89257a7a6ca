import { formatDateTime, startOfDay } from '../../../../shared/dates.ts'
import { withoutSurcharge } from '../../../../shared/money.ts'
import { CARD_SURCHARGES, TOP_UPS_ON_HOLD } from '../../../ledger/accounts.ts'
import { postTransfer, type Wallet } from '../../../ledger/ledger.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'
import type { OwnedPayment, Settled } from './payments.sql.ts'
import { postCardMoney } from './post-card-money.ts'
import { selectTopUpStanding } from './top-ups.sql.ts'

const HOUR_MS = 3_600_000
/**
 * Money beyond the daily limit has come all the same, from a payment that had been closed, or it is disputed already: it waits for
 * a day, and then for staff or until the dispute is over. Else whoever begins a payment each half an hour and pays all of them late would have no limit.
 */
const DOUBTFUL_HOLD_HOURS = 24

type OnHold = NonNullable<Settled['onHold']>

/** Takes a top-up out of the wallet again until it may be spent, where the owner's settings say so. Call it with the payment and the wallet locked. */
export async function holdTopUp(
  tx: Tx,
  ctx: Ctx,
  { reference, userId, createdAt, holdReason }: OwnedPayment,
  accountId: number,
  pesewas: number,
): Promise<OnHold | null> {
  const standing = await selectTopUpStanding(tx, { userId, day: startOfDay(createdAt), now: ctx.now })
  const isOverLimit = standing.settledPesewas + pesewas > standing.dailyPesewas
  const hours = Math.max(standing.holdHours, isOverLimit || holdReason !== null ? DOUBTFUL_HOLD_HOURS : 0)
  if (hours === 0) return null
  const until = hoursFrom(ctx, hours)
  await postCardMoney(tx, ctx, {
    key: `top-up-hold:${reference}`,
    memo: `Can be spent from ${formatDateTime(until)}`,
    from: accountId,
    to: TOP_UPS_ON_HOLD,
    pesewas,
  })
  return { pesewas, until, forStaff: isOverLimit }
}

/** `rest`: what a client's own payment has left after its last order. `isReturned`: it goes back to its payer, with the surcharge. */
type Which = { rest?: boolean; isReturned?: boolean }

/**
 * What a card payment leaves in the wallet counts as a top-up: for the day, for a new payer's hold and, where the client chose the amount itself,
 * for the surcharge. Call it with the payment and the wallet locked and the money in the wallet.
 */
export async function keepLeft(
  tx: Tx,
  ctx: Ctx,
  payment: OwnedPayment,
  { accountId }: Pick<Wallet, 'accountId'>,
  pesewas: number,
  { rest = false, isReturned = false }: Which = {},
): Promise<{ leftPesewas: number; onHold: NonNullable<Settled['onHold']> | null }> {
  if (pesewas <= 0) return { leftPesewas: 0, onHold: null }
  const leftPesewas = payment.byClient && !isReturned ? withoutSurcharge(pesewas) : pesewas
  if (leftPesewas < pesewas) {
    await postTransfer(tx, {
      key: `${rest ? 'rest' : 'left'}-surcharge:${payment.reference}`,
      kind: 'card-surcharge',
      memo: 'The provider’s 3% of what was put into the wallet',
      actorId: null,
      lines: [
        { accountId, amountPesewas: leftPesewas - pesewas },
        { accountId: CARD_SURCHARGES, amountPesewas: pesewas - leftPesewas },
      ],
      now: ctx.now,
    })
  }
  const onHold = await holdLeft(tx, ctx, payment, { accountId, pesewas: leftPesewas, name: rest ? 'rest-hold' : 'top-up-hold' })
  return { leftPesewas, onHold }
}

/**
 * As `holdTopUp` for what any other card payment leaves in the wallet, which would else be a top-up without limits: what is beyond the most at
 * once or in a day waits for staff. `name` starts the key of its entry.
 */
async function holdLeft(
  tx: Tx,
  ctx: Ctx,
  { reference, userId, createdAt, leftPesewas }: OwnedPayment,
  { accountId, pesewas, name }: { accountId: number; pesewas: number; name: 'top-up-hold' | 'rest-hold' },
): Promise<OnHold | null> {
  if (pesewas <= 0) return null
  const standing = await selectTopUpStanding(tx, { userId, day: startOfDay(createdAt), now: ctx.now })
  const { holdHours, maximumPesewas, dailyPesewas, settledPesewas } = standing
  const room = Math.max(0, Math.min(maximumPesewas - leftPesewas, dailyPesewas - settledPesewas))
  const beyond = Math.max(0, pesewas - room)
  const held = holdHours > 0 ? pesewas : beyond
  if (held === 0) return null
  const until = hoursFrom(ctx, holdHours)
  const memo = beyond > 0 ? 'Waits for the shop: it is beyond the limits of topping up' : `Can be spent from ${formatDateTime(until)}`
  await postCardMoney(tx, ctx, { key: `${name}:${reference}`, memo, from: accountId, to: TOP_UPS_ON_HOLD, pesewas: held })
  return { pesewas: held, until, forStaff: beyond > 0 }
}

function hoursFrom({ now }: Ctx, hours: number): Date {
  return new Date(now.getTime() + hours * HOUR_MS)
}
