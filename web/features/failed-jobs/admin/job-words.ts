import type { FailedJob } from '../../../../shared/jobs.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { moneyText } from '../../../ui/money.tsx'
import { totalPaid } from '../../orders/total-paid.ts'
import { supplierName } from '../../supplier/admin/supplier-words.ts'

const QUEUES: Record<string, string> = {
  'supplier-send': 'Orders to send to a supplier',
  'supplier-ask': 'Orders to ask a supplier about',
  'supplier-balance': 'Balances at suppliers to check',
  'decide-order': 'Orders to decide as their supplier says',
  tell: 'Messages to write',
  'send-sms': 'Messages to send',
  'sms-digest': 'Messages to gather into one',
  'tell-password-changed': 'Mails about changed passwords',
  'card-event': 'Card webhook events to act on',
  'daily-check': 'Daily tidying',
  'check-books': 'Checks of the books',
  'new-orders': 'New orders to look at',
}

/** What a queue holds, in words. An unknown queue is still readable. */
export function queueWords(queue: string): string {
  return QUEUES[queue] ?? sentence(queue)
}

const AT_SUPPLIER = ['waiting', 'sending', 'accepted', 'unknown']

type Job = Pick<FailedJob, 'queue' | 'data' | 'order' | 'messageTo'>

/** What a job was to do: "Send an order to Hubnet". */
export function jobWords({ queue, data, order, messageTo }: Job): string {
  const supplier = order?.supplier ? supplierName(order.supplier) : 'its supplier'
  switch (queue) {
    case 'supplier-send':
      return `Send an order to ${supplier}`
    case 'supplier-ask':
      return `Ask ${supplier} what became of an order`
    case 'supplier-balance':
      return 'Check the balances at the suppliers'
    case 'decide-order':
      return data.status === 'rejected'
        ? 'Reject an order that its supplier did not deliver'
        : 'Complete an order that its supplier delivered'
    case 'tell':
      return data.kind === 'completed' ? 'Tell a buyer that an order is done' : 'Tell the operator about an order'
    case 'send-sms':
      return messageTo ? `Send a message to ${spacedPhone(messageTo)}` : 'Send a message'
    case 'sms-digest':
      return 'Gather messages about many orders into one'
    case 'card-event':
      return 'Act on a webhook event of the card provider'
    case 'tell-password-changed':
      return 'Tell a user by mail that their password was changed'
    case 'daily-check':
      return 'Tidy up, as on every day'
    case 'check-books':
      return 'Check the books'
    default:
      return sentence(queue)
  }
}

/** What trying a job again does to the world, which is asked about first; null when it only looks something up. */
export function retryConsequence(job: Job): string | null {
  const { queue, data, order, messageTo } = job
  switch (queue) {
    case 'supplier-send':
      return `The order is sent, and its price there is taken from the shop’s balance, unless the supplier has it already or somebody has decided it.`
    case 'decide-order':
      if (data.status !== 'rejected') return 'The order is completed.'
      return order
        ? `The order is rejected, and ${moneyText(totalPaid(order))} goes back to the wallet of ${order.agent}.`
        : 'The order is rejected, and what was paid goes back to its buyer.'
    case 'tell':
    case 'sms-digest':
      return 'A message is sent, if it has not been, and counts among the messages of today.'
    case 'send-sms':
      return `The message goes ${messageTo ? `to ${spacedPhone(messageTo)}` : 'out'} and counts among the messages of today.`
    case 'tell-password-changed':
      return 'The mail is sent, perhaps for the second time.'
    case 'supplier-ask':
    case 'supplier-balance':
    case 'daily-check':
    case 'check-books':
      return null
    default:
      return 'The work is done as if it had not failed.'
  }
}

/** What will then not happen when a job is dismissed, and what of its order; said before it is done. */
export function dismissConsequence(job: Job): string {
  const { queue, data, order, messageTo } = job
  const supplier = order?.supplier ? supplierName(order.supplier) : 'its supplier'
  switch (queue) {
    case 'supplier-send':
      return order?.delivery === 'unknown' || order?.delivery === 'accepted'
        ? `The shop sends nothing more to ${supplier}, which may have the order already.${afterwards(order)}`
        : `The order is not sent to ${supplier}.${afterwards(order)}`
    case 'supplier-ask':
      return `The shop no longer asks ${supplier} what became of the order.${afterwards(order)}`
    case 'supplier-balance':
      return 'The balances are not looked at now. The shop does it again in a few minutes.'
    case 'decide-order':
      return `The shop decides nothing.${afterwards(order)}`
    case 'tell':
      return `${data.kind === 'completed' ? 'The buyer' : 'The operator'} gets no message about the order.${whereItIs(order)}`
    case 'sms-digest':
      return 'The messages stay where they are until others are gathered too.'
    case 'send-sms':
      return `The message never goes ${messageTo ? `to ${spacedPhone(messageTo)}` : 'out'}.${whereItIs(order)}`
    case 'tell-password-changed':
      return 'The user does not hear that their password was changed. If it was not they who changed it, they notice only when they sign in.'
    case 'daily-check':
      return 'Nothing is tidied up now. The shop does it again tonight.'
    case 'check-books':
      return 'This check is not made. The shop checks its books again within a minute.'
    default:
      return 'The work is not done.'
  }
}

/** For a job that only sends a message: the order itself may be at a supplier, which continues. */
function whereItIs(order: Job['order']): string {
  const isAtSupplier = order?.status === 'pending' && order.supplier && AT_SUPPLIER.some((status) => status === order.delivery)
  return isAtSupplier ? ` Order ${order.id} goes on at ${supplierName(order.supplier ?? '')} as before.` : afterwards(order)
}

/** Where the buyer's money is then. */
function afterwards(order: Job['order']): string {
  if (!order) return ''
  if (order.status !== 'pending') return ` Order ${order.id} is ${order.status} already, so nothing is lost.`
  return ` Order ${order.id} stays pending, and ${order.agent} has paid ${moneyText(totalPaid(order))} for it: process it or reject it by hand.`
}

function sentence(queue: string): string {
  const words = queue.replaceAll(/[._-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
