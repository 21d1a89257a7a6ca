import { type Entry, postEntry } from '../../../ledger/ledger.ts'
import { send } from '../../../integrations/sms/send.ts'
import { connect } from '../../../platform/db.ts'
import { order } from '../../../../shared/orders.ts'
export function approveOrder(entry: Entry) {
  return [order, connect, postEntry(entry), send]
}
