import { accounts } from './accounts.ts'
import { againstModel } from './against-model.ts'
import { agentShops } from './agent-shops.ts'
import { archive } from './archive.ts'
import { arithmetic } from './arithmetic.ts'
import { authorisation } from './authorisation.ts'
import { bulk } from './bulk.ts'
import { cardPayments } from './card-payments.ts'
import { checkers } from './checkers.ts'
import { clocks } from './clocks.ts'
import { concurrency } from './concurrency.ts'
import { crashes } from './crashes.ts'
import { customer } from './customer.ts'
import { developerApi } from './developer-api.ts'
import type { Experiment } from './experiment.ts'
import { failover } from './failover.ts'
import { failpoints } from './failpoints.ts'
import { forwarding } from './forwarding.ts'
import { idempotency } from './idempotency.ts'
import { identifiers } from './identifiers.ts'
import { input } from './input.ts'
import { moneyOut } from './money-out.ts'
import { outside } from './outside.ts'
import { payoutNumbers } from './payout-numbers.ts'
import { realtime } from './realtime.ts'
import { releases } from './releases.ts'
import { smallServers } from './small-servers.ts'
import { storedScripts } from './stored-scripts.ts'
import { tampering } from './tampering.ts'
import { tools } from './tools.ts'
import { transactionPins } from './transaction-pins.ts'
import { twoMachines } from './two-machines.ts'
import { ussd } from './ussd.ts'
import { whatsapp } from './whatsapp.ts'
import { withdrawals } from './withdrawals.ts'

/** All of them, in the order in which they run. */
export const EXPERIMENTS: Experiment[] = [
  ...concurrency,
  ...withdrawals,
  ...bulk,
  ...crashes,
  ...failpoints,
  ...tampering,
  ...idempotency,
  ...cardPayments,
  ...accounts,
  ...input,
  ...storedScripts,
  ...tools,
  ...arithmetic,
  ...identifiers,
  ...clocks,
  ...authorisation,
  ...realtime,
  ...outside,
  ...failover,
  ...againstModel,
  ...customer,
  ...agentShops,
  ...moneyOut,
  ...payoutNumbers,
  ...developerApi,
  ...checkers,
  ...ussd,
  ...whatsapp,
  ...transactionPins,
  ...forwarding,
  ...twoMachines,
  ...archive,
  ...releases,
  ...smallServers,
]
