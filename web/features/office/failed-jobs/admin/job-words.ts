import type { FailedJob } from '../../../../../shared/jobs.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { supplierName } from '../../../../../shared/supplier-names.ts'
import { moneyText } from '../../../../ui/money.tsx'
import { totalPaid } from '../../../orders/orders/total-paid.ts'

const QUEUES: Record<string, string> = {
  'supplier-send': 'Orders to send to a supplier',
  'supplier-ask': 'Orders to ask a supplier about',
  'supplier-balance': 'Balances at suppliers to check',
  'supplier-alarm': 'News of suppliers to tell you',
  'decide-order': 'Supplier results to act on',
  tell: 'Messages to write',
  'tell-new-orders': 'New orders to tell you about',
  'tell-buyer': 'News to tell buyers',
  'tell-verifying': 'Number checks to tell buyers about',
  'tell-account-changed': 'Changes of accounts to tell people about',
  'send-sms': 'Messages to send',
  'send-refund-code': 'Refund codes to send',
  'send-whatsapp': 'WhatsApp messages to send',
  'send-pin-code': 'PIN codes to send',
  'send-payout-code': 'Codes for payout numbers to send',
  'send-checker': 'Checkers to send',
  'mail-checkers': 'Checkers to mail',
  'checkers-sold': 'Sold checkers to hand over',
  'scheduled-lists': 'Scheduled lists to place',
  'send-webhook': 'Webhooks to send',
  'tell-webhook-off': 'Switched-off webhooks to tell agents about',
  'tell-pin-changed': 'Changed PINs to tell people about',
  'tell-payout-number': 'Changed payout numbers to tell agents about',
  'tell-number-taken': 'Numbers that moved to another account',
  'test-order': 'Test orders',
  'sms-digest': 'Messages to combine',
  'tell-password-changed': 'Emails about changed passwords',
  'card-event': 'Card payment updates to process',
  'daily-check': 'Daily clean-up',
  'check-books': 'Checks of the books',
  'check-all-rows': 'Long checks of the books',
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
      return `Check an order with ${supplier}`
    case 'supplier-balance':
      return 'Check the balances at the suppliers'
    case 'supplier-alarm':
      return 'Tell you how a supplier does'
    case 'decide-order':
      return data.status === 'rejected'
        ? 'Reject an order that its supplier did not deliver'
        : 'Complete an order that its supplier delivered'
    case 'tell':
      return data.kind === 'completed' ? 'Tell a buyer that an order is done' : 'Tell the operator about an order'
    case 'tell-new-orders':
      return 'Tell the operator about new orders'
    case 'tell-buyer':
      return data.kind === 'reply' ? 'Tell a buyer that their report was answered' : 'Tell a buyer that an order was refunded'
    case 'tell-verifying':
      return 'Tell a buyer that the network checks the number first'
    case 'send-refund-code':
      return 'Send a guest the code for their refund'
    case 'send-sms':
      return messageTo ? `Send a message to ${spacedPhone(messageTo)}` : 'Send a message'
    case 'sms-digest':
      return 'Combine messages about many orders'
    case 'card-event':
      return 'Process an update from the card provider'
    case 'tell-password-changed':
      return 'Email a user that their password was changed'
    case 'daily-check':
      return 'Daily clean-up'
    case 'check-books':
    case 'check-all-rows':
      return 'Check the books'
    default:
      return sentence(queue)
  }
}

/** The side effects of retrying a job, for the confirmation; null when it only looks something up. */
export function retryConsequence(job: Job): string | null {
  const { queue, data, order, messageTo } = job
  switch (queue) {
    case 'supplier-send':
      return `We send the order and pay for it from the shop’s balance there, unless the supplier already has it or somebody has decided it.`
    case 'decide-order':
      if (data.status !== 'rejected') return 'The order is completed.'
      return order
        ? `We reject the order and refund ${moneyText(totalPaid(order))} to ${order.agent}’s wallet.`
        : 'We reject the order and refund its buyer.'
    case 'tell':
    case 'tell-new-orders':
    case 'tell-buyer':
    case 'tell-verifying':
    case 'send-refund-code':
    case 'sms-digest':
      return 'The message goes out unless it already did, and counts toward today’s limit.'
    case 'send-sms':
      return `The message goes ${messageTo ? `to ${spacedPhone(messageTo)}` : 'out'} and counts toward today’s limit.`
    case 'tell-password-changed':
      return 'The email goes out, maybe for the second time.'
    case 'supplier-ask':
    case 'supplier-balance':
    case 'supplier-alarm':
    case 'daily-check':
    case 'check-books':
    case 'check-all-rows':
      return null
    default:
      return 'It runs as if it had never failed.'
  }
}

/** What dismissing a job leaves undone, and what happens to its order, for the confirmation. */
export function dismissConsequence(job: Job): string {
  const { queue, data, order, messageTo } = job
  const supplier = order?.supplier ? supplierName(order.supplier) : 'its supplier'
  switch (queue) {
    case 'supplier-send':
      return order?.delivery === 'unknown' || order?.delivery === 'accepted'
        ? `We send nothing more to ${supplier}, which may already have the order.${afterwards(order)}`
        : `The order is not sent to ${supplier}.${afterwards(order)}`
    case 'supplier-ask':
      return `We stop checking the order with ${supplier}.${afterwards(order)}`
    case 'supplier-balance':
      return 'We skip this balance check. The next one is in a few minutes.'
    case 'supplier-alarm':
      return 'You may hear of it a few minutes later, with the next balance check.'
    case 'decide-order':
      return `The decision is left to you.${afterwards(order)}`
    case 'tell':
      return `${data.kind === 'completed' ? 'The buyer' : 'The operator'} gets no message about the order.${whereItIs(order)}`
    case 'tell-new-orders':
      return 'The operator gets no message about these orders. They are under Orders.'
    case 'tell-buyer':
    case 'tell-verifying':
      return `The buyer gets no message. They see it on the order’s page.${whereItIs(order)}`
    case 'sms-digest':
      return 'The messages wait until the next ones are combined.'
    case 'send-refund-code':
      return 'The message never goes out. Under Money, Refunds you can send the code again.'
    case 'send-sms':
      return `The message never goes ${messageTo ? `to ${spacedPhone(messageTo)}` : 'out'}.${whereItIs(order)}`
    case 'tell-password-changed':
      return 'The user isn’t told that their password was changed. If somebody else changed it, they only find out at their next login.'
    case 'daily-check':
      return 'We skip this clean-up. The next one is tonight.'
    case 'check-all-rows':
      return 'We skip this check. It is made again within a few hours.'
    case 'check-books':
      return 'We skip this check. The books are checked again within a minute.'
    default:
      return 'The work stays undone.'
  }
}

/** For a job that only sends a message: the order itself may be at a supplier, which continues. */
function whereItIs(order: Job['order']): string {
  const isAtSupplier = order?.status === 'pending' && order.supplier && AT_SUPPLIER.some((status) => status === order.delivery)
  return isAtSupplier ? ` Order ${order.id} goes on with ${supplierName(order.supplier ?? '')} as before.` : afterwards(order)
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
