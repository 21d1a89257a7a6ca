import type { CardPayments, Verification } from '../server/integrations/payments/card-payments.ts'
import type { Actor, Ctx } from '../server/platform/context.ts'
import { createLog } from '../server/platform/log.ts'
import type { TestShop } from './app.ts'

export type Announced = { to: unknown; event: string; payload: unknown }

/** What a write is given, and what it announces. */
export function makeCtx(
  shop: Pick<TestShop, 'database' | 'clock'>,
  actor: Partial<Actor> | null = null,
): { ctx: Ctx; announced: Announced[] } {
  const announced: Announced[] = []
  const realtime = { announce: (to: unknown, event: string, payload: unknown) => void announced.push({ to, event, payload }) }
  const ctx = { db: shop.database.db, actor, now: shop.clock.now, ip: null, realtime, log: createLog('silent') }
  return { ctx: ctx as unknown as Ctx, announced }
}

/**
 * A card provider in our own words, for what the simulator of the real one cannot be brought to say. `asked` holds the
 * references that it was asked about.
 */
export function deskThat(
  says: Verification | Error | ((reference: string) => Verification),
  { isTest = true, ...card }: Partial<CardPayments> & { isTest?: boolean } = {},
) {
  const asked: string[] = []
  const verify = async (reference: string) => {
    asked.push(reference)
    if (says instanceof Error) throw says
    return typeof says === 'function' ? says(reference) : says
  }
  return { isTest, asked, card: { publicKey: 'pk_test', verify, ...card } as CardPayments }
}

/** What the provider says of money that came in full. */
export function paid(amountPesewas: number, change: { currency?: string; isTest?: boolean } = {}): Verification {
  return { outcome: 'paid', amountPesewas, currency: 'GHS', isTest: true, ...change }
}
