import type { Recharge } from '../../../../../shared/recharges.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { replaceInLists } from '../../../../lib/query-client.ts'
import { toast } from '../../../../ui/toast.ts'
import { askToDecide } from './ask-to-decide.tsx'

/** Asks, then declines a request with a reason or none. False when it was not declined. */
export async function declineRecharge(recharge: Recharge): Promise<boolean> {
  const { yes, reason } = await askToDecide(recharge, 'decline')
  if (!yes) return false
  try {
    const reply = await call('PUT /recharge/:id/decline', { params: { id: recharge._id }, body: { reason } })
    replaceInLists(['recharges'], reply.recharge)
    toast.danger('Recharge request declined')
    return true
  } catch (failure) {
    toast.danger(messageOf(failure))
    return false
  }
}
