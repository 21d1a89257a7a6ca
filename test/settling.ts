import pino from 'pino'
import { insertPayment, type NewPayment } from '../server/features/card/payments/payments.sql.ts'
import { settlePayment } from '../server/features/card/payments/settle-payment.ts'
import type { CardPayments, Verification } from '../server/integrations/payments/card-payments.ts'
import { payoutsSwitchedOff, refundsSwitchedOff } from '../server/integrations/payments/switched-off.ts'
import type { Actor, Ctx } from '../server/platform/context.ts'
import type { TestShop } from './app.ts'

export type Announced = { to: unknown; event: string; payload: unknown }

/** A line of the log that an operator should see. */
export type Logged = { level: 'warn' | 'error'; msg: string; reference?: string; reason?: string }

/** What a write is given, what it announces, and what it warns of. */
export function makeCtx(
  shop: Pick<TestShop, 'database' | 'clock'>,
  actor: Partial<Actor> | null = null,
): { ctx: Ctx; announced: Announced[]; logged: Logged[] } {
  const announced: Announced[] = []
  const logged: Logged[] = []
  const formatters = { level: (level: string) => ({ level }) }
  const log = pino({ level: 'warn', formatters }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  const realtime = { announce: (to: unknown, event: string, payload: unknown) => void announced.push({ to, event, payload }) }
  const ctx = { db: shop.database.db, actor, now: shop.clock.now, ip: null, realtime, log, jobs: { wake: () => undefined } }
  return { ctx: ctx as unknown as Ctx, announced, logged }
}

/**
 * A card provider in our own words, for what the simulator of the real one cannot be brought to say. `asked` holds the
 * references that it was asked about.
 */
export function gatewayThat(
  says: Verification | Error | ((reference: string) => Verification),
  { isTest = true, ...card }: Partial<CardPayments> & { isTest?: boolean } = {},
) {
  const asked: string[] = []
  const verify = async (reference: string) => {
    asked.push(reference)
    if (says instanceof Error) throw says
    return typeof says === 'function' ? says(reference) : says
  }
  return {
    isTest,
    asked,
    card: { publicKey: 'pk_test', verify, ...card } as CardPayments,
    payouts: payoutsSwitchedOff,
    refunds: refundsSwitchedOff,
  }
}

/** What the provider says of money that came in full. */
export function paid(
  amountPesewas: number,
  change: { currency?: string; isTest?: boolean; payerEmail?: string; begunAt?: Date; feePesewas?: number } = {},
): Verification {
  return { outcome: 'paid', amountPesewas, feePesewas: null, currency: 'GHS', isTest: true, payerEmail: null, ...change }
}

const CHECKED_AFTER_MS = 86_400_000

/** A card payment that the provider has in full, or `pesewas` of it, and that is settled. Returns its reference. */
export async function payByCard(
  shop: Pick<TestShop, 'database' | 'clock'>,
  payment: Pick<NewPayment, 'userId' | 'purpose' | 'lines' | 'pricePesewas' | 'surchargePesewas' | 'guest'>,
  pesewas = payment.pricePesewas + payment.surchargePesewas,
): Promise<string> {
  const reference = crypto.randomUUID().replaceAll('-', '').slice(0, 20)
  const { now } = shop.clock
  await insertPayment(shop.database.db, { ...payment, reference, now, checkAt: new Date(now.getTime() + CHECKED_AFTER_MS) })
  await settlePayment(makeCtx(shop).ctx, gatewayThat(paid(pesewas)), reference)
  return reference
}
