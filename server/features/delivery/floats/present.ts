import type { Float, FloatsReply } from '../../../../shared/floats.ts'
import { toCedis } from '../../../../shared/money.ts'
import type { FloatRow, Floats } from './queries.ts'

/** Without amounts for staff who do not see the shop's finances; how long a float lasts and what waits there concerns all. */
export function presentFloats({ floats, alarmHours, day }: Floats, { withAmounts }: { withAmounts: boolean }): FloatsReply {
  const newest = floats.map(({ readAt }) => readAt?.getTime() ?? 0).reduce((one, other) => Math.max(one, other), 0)
  const shown = floats
    .map(presentFloat)
    .map((float) => (withAmounts ? float : { ...float, balance: null, perHour: null, today: null, topUpAtLeast: null }))
  return {
    floats: shown,
    alarmHours,
    day: day && { opens: day.opens.toISOString(), closes: day.closes.toISOString() },
    readAt: newest === 0 ? null : new Date(newest).toISOString(),
  }
}

function presentFloat({
  key,
  kind,
  networks,
  backsUp,
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
    backsUp,
    state,
    balance: amount === null ? null : shown(amount),
    balanceAt: readAt?.toISOString() ?? null,
    withoutCost,
    problem: health?.isTroubled
      ? {
          // With a cause, ours stands before the supplier's words.
          reason: health.cause === '' ? health.reason : health.reason.replace(/^[^:]*: /, ''),
          at: health.failedAt?.toISOString() ?? null,
          failures: health.failures,
          nextTryAt: health.openUntil?.toISOString() ?? null,
        }
      : null,
    perHour: perHour === null ? null : shown(perHour),
    rateFrom,
    emptyAt: emptyAt?.toISOString() ?? null,
    held: { orders: held.orders, value: toCedis(held.pesewas) },
    topUpAtLeast: held.costPesewas === null ? null : toCedis(Math.max(0, held.costPesewas - Math.max(0, amount ?? 0))),
    howToTopUp,
    today: today && { opening: shown(today.opening), topUps: shown(today.topUps), spent: shown(today.spent) },
  }
}
