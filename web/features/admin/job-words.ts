import type { ParkedJob } from '../../../shared/jobs.ts'
import { spacedPhone } from '../../../shared/phones.ts'
import { moneyText } from '../../ui/money.tsx'
import { supplierName } from './supplier-words.ts'

const QUEUES: Record<string, string> = {
  'supplier-send': 'Orders to send to a supplier',
  'supplier-ask': 'Orders to ask a supplier about',
  'supplier-balance': 'Balances at suppliers to check',
  'decide-order': 'Orders to decide as their supplier says',
  tell: 'Messages to write',
  'send-sms': 'Messages to send',
  'sms-digest': 'Messages to gather into one',
  'daily-check': 'Daily tidying',
  'check-books': 'Checks of the books',
  'new-orders': 'New orders to look at',
}

/** What a queue holds, in words. One that is new here still reads. */
export function queueWords(queue: string): string {
  return QUEUES[queue] ?? sentence(queue)
}

type Job = Pick<ParkedJob, 'queue' | 'data' | 'order' | 'messageTo'>

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
        ? `The order is rejected, and ${moneyText(order.totalAmount)} goes back to the wallet of ${order.agent}.`
        : 'The order is rejected, and what was paid goes back to its buyer.'
    case 'tell':
    case 'sms-digest':
      return 'A message is sent, if it has not been, and counts among the messages of today.'
    case 'send-sms':
      return `The message goes ${messageTo ? `to ${spacedPhone(messageTo)}` : 'out'} and counts among the messages of today.`
    case 'supplier-ask':
    case 'supplier-balance':
    case 'daily-check':
    case 'check-books':
      return null
    default:
      return 'The work is done as if it had not failed.'
  }
}

function sentence(queue: string): string {
  const words = queue.replaceAll(/[._-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
