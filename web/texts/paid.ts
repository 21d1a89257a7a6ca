import { CARD_SURCHARGE_PERCENT } from '../../shared/money.ts'

/** What was paid for an order, and the references it goes by. */
export const paidTexts = {
  amount: 'Amount',
  price: 'Price',
  surcharge: `Card surcharge (${CARD_SURCHARGE_PERCENT}%)`,
  total: 'Total paid',
  paymentReference: 'Payment reference',
  orderReference: 'Order reference',
  reference: 'Reference',
  /** The one that the buyer's own program gave the order. */
  clientReference: 'Your reference',
}
