import { operatorOfNumber } from '../../../../shared/phones.ts'
import { MOMO_NETWORKS, type PaymentNumber, type Setup } from '../../../../shared/shop-settings.ts'
import type { Queryable } from '../../../platform/db.ts'
import { selectNotice } from '../notice/notice.sql.ts'
import { selectSetupFacts } from './setup.sql.ts'
import { selectPaymentNumbers } from './shop.sql.ts'

/** Where customers send mobile money. A shop that has one number for all has it here under the network that it belongs to. */
export async function listPaymentNumbers(db: Queryable): Promise<PaymentNumber[]> {
  const [stored, notice] = [await selectPaymentNumbers(db), await selectNotice(db)]
  const first = { phoneNumber: notice.momoPhoneNumber, accountName: notice.momoAccountName }
  // Clients of the first version may have changed the first number since.
  if (stored[0]) return [{ ...stored[0], ...first }, ...stored.slice(1)]
  const network = MOMO_NETWORKS.find((one) => one === operatorOfNumber(notice.momoPhoneNumber)) ?? MOMO_NETWORKS[0]
  return [{ network, ...first }]
}

/** `sms` and `supplier`: whether the technician has configured them. */
export async function readSetup(db: Queryable, ownerId: string, configured: { sms: boolean; supplier: boolean }): Promise<Setup> {
  const facts = await selectSetupFacts(db, ownerId)
  return {
    steps: [
      { step: 'shop', done: facts.named },
      { step: 'payment-numbers', done: facts.paid },
      { step: 'prices', done: facts.priced },
      { step: 'supplier', done: configured.supplier || facts.routed },
      { step: 'sms', done: configured.sms },
      { step: 'test-order', done: facts.sold },
      { step: 'code', done: facts.secured },
    ],
    hidden: facts.hidden,
  }
}
