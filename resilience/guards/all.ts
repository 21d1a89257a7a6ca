import { accountsGuards } from './accounts.ts'
import { agentShopsGuards } from './agent-shops.ts'
import { checkersGuards } from './checkers.ts'
import { crashesGuards } from './crashes.ts'
import { customerGuards } from './customer.ts'
import { developerApiGuards } from './developer-api.ts'
import { failoverGuards } from './failover.ts'
import { forwardingGuards } from './forwarding.ts'
import type { Guard } from './guard.ts'
import { inputGuards } from './input.ts'
import { modelGuards } from './model.ts'
import { moneyGuards } from './money.ts'
import { outsideGuards } from './outside.ts'
import { paymentsGuards } from './payments.ts'
import { releasesGuards } from './releases.ts'
import { smallServersGuards } from './small-servers.ts'
import { tamperingGuards } from './tampering.ts'
import { transactionPinsGuards } from './transaction-pins.ts'
import { twoMachinesGuards } from './two-machines.ts'
import { ussdGuards } from './ussd.ts'
import { whatsappGuards } from './whatsapp.ts'

/** The guards, removed one at a time to see that an experiment notices. */
export const GUARDS: Guard[] = [
  ...moneyGuards,
  ...crashesGuards,
  ...tamperingGuards,
  ...paymentsGuards,
  ...inputGuards,
  ...accountsGuards,
  ...outsideGuards,
  ...failoverGuards,
  ...customerGuards,
  ...modelGuards,
  ...agentShopsGuards,
  ...developerApiGuards,
  ...checkersGuards,
  ...transactionPinsGuards,
  ...forwardingGuards,
  ...ussdGuards,
  ...whatsappGuards,
  ...twoMachinesGuards,
  ...releasesGuards,
  ...smallServersGuards,
]
