import type { Concern, Invariant } from './invariant.ts'
import { I17, I18 } from './of-agent-shops.ts'
import { I22 } from './of-checkers.ts'
import { I16 } from './of-deliveries.ts'
import { I1, I2, I3, I4, I12 } from './of-entries.ts'
import { I5, I8, I9, I10, I11, I13, I25 } from './of-orders.ts'
import { I6, I7, I15, I20 } from './of-payments.ts'
import { I19, I21, I24 } from './of-payouts.ts'
import { I14 } from './of-totals.ts'

/** The severity of a rule; unknown rules count as money. */
export function concernOf(says: string): Concern {
  return CONCERNS.get(says) ?? 'money'
}

/** All invariants of the shop, in the order in which an admin reads them. */
export const INVARIANTS: readonly Invariant[] = [
  I1,
  I2,
  I3,
  I4,
  I5,
  I6,
  I7,
  I8,
  I9,
  I10,
  I11,
  I12,
  I13,
  I14,
  I15,
  I16,
  I17,
  I18,
  I19,
  I20,
  I21,
  I22,
  I24,
  I25,
]

const CONCERNS = new Map(INVARIANTS.flatMap(({ rules }) => rules.map(({ says, concerns }) => [says, concerns])))
