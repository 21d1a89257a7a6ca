import type { Float, FloatsReply } from '../../../shared/floats.ts'
import { toCedis } from '../../../shared/money.ts'
import type { FloatRow } from './queries.ts'

/** Without amounts for staff who do not see the shop's finances; how long a float lasts and what waits there concerns all. */
export function presentFloats(
  { floats, alarmHours }: { floats: FloatRow[]; alarmHours: number },
  { withAmounts }: { withAmounts: boolean },
): FloatsReply {
  const newest = floats.map(({ readAt }) => readAt?.getTime() ?? 0).reduce((one, other) => Math.max(one, other), 0)
  const shown = floats.map(presentFloat).map((float) => (withAmounts ? float : { ...float, balance: null, perHour: null, today: null }))
  return { floats: shown, alarmHours, readAt: newest === 0 ? null : new Date(newest).toISOString() }
}

function presentFloat({
  key,
  kind,
  networks,
  state,
  amount,
  readAt,
  withoutCost,
  health,
  perHour,
  rateFrom,
  emptyAt,
  held,
  howToTopUp,
  today,
}: FloatRow): Float {
  // Messages are whole already.
  const shown = (value: number) => (kind === 'sms' ? Math.round(value) : toCedis(Math.round(value)))
  return {
    key,
    kind,
    networks,
    state,
    balance: amount === null ? null : shown(amount),
    balanceAt: readAt?.toISOString() ?? null,
    withoutCost,
    problem: health?.isTroubled
      ? {
          reason: health.reason,
          at: health.failedAt?.toISOString() ?? null,
          failures: health.failures,
          nextTryAt: health.openUntil?.toISOString() ?? null,
        }
      : null,
    perHour: perHour === null ? null : shown(perHour),
    rateFrom,
    emptyAt: emptyAt?.toISOString() ?? null,
    held: { orders: held.orders, value: toCedis(held.pesewas) },
    howToTopUp,
    today: today && { opening: shown(today.opening), topUps: shown(today.topUps), spent: shown(today.spent) },
  }
}
