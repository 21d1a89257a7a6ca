import { accounts } from './accounts.ts'
import { againstModel } from './against-model.ts'
import { arithmetic } from './arithmetic.ts'
import { authorisation } from './authorisation.ts'
import { cardPayments } from './card-payments.ts'
import { concurrency } from './concurrency.ts'
import { crashes } from './crashes.ts'
import { customer } from './customer.ts'
import type { Experiment } from './experiment.ts'
import { failpoints } from './failpoints.ts'
import { idempotency } from './idempotency.ts'
import { identifiers } from './identifiers.ts'
import { input } from './input.ts'
import { outside } from './outside.ts'
import { realtime } from './realtime.ts'
import { tampering } from './tampering.ts'

/** All of them, in the order in which they run. */
export const EXPERIMENTS: Experiment[] = [
  ...concurrency,
  ...crashes,
  ...failpoints,
  ...tampering,
  ...idempotency,
  ...cardPayments,
  ...accounts,
  ...input,
  ...arithmetic,
  ...identifiers,
  ...authorisation,
  ...realtime,
  ...outside,
  ...againstModel,
  ...customer,
]
