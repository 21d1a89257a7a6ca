import { CARD_SURCHARGE_PERCENT } from '../../shared/money.ts'

const PERCENT = `${CARD_SURCHARGE_PERCENT}%`

/** Payments by mobile money or card. Amounts are texts such as "¢48.00". */
export const paymentTexts = {
  withoutWallet: 'Pay without wallet (card)',
  proceed: 'Are you sure you want to proceed to checkout now?',
  price: 'Price',
  surcharge: `Card surcharge (${PERCENT})`,
  providerFee: `The provider’s ${PERCENT}`,
  total: 'Total',
  momoToo: 'Pay by mobile money or card: you choose on the next screen.',
  pay: (sum: string) => `Pay ${sum} by MoMo or card`,
  cancel: 'Cancel',

  madeWait: 'Payment made successfully, please wait...',
  cancelled: 'Payment cancelled',
  waitsForApproval: 'Your payment is waiting for your approval. Approve it on your phone and we’ll do the rest.',
  notHeard: 'We haven’t heard from the card provider yet. We’ll keep checking: if you were charged, you’ll get what you paid for.',
  heldNoOrder: 'You paid, but we couldn’t place the order. The money is in your wallet.',
  notThrough: 'The payment did not go through. Nothing was bought.',
  otherCharge: 'The charge is different',
  otherChargeQuestion: (now: string, shown: string) => `You will be charged ${now}, not ${shown}. Go on?`,
  nowAgent: (name: string) => `User ${name} updated is now an Agent`,
  orderPlaced: 'Your order is placed successfully',
  ordersPlaced: 'Orders placed successfully',
  inWallet: (sum: string) => `${sum} is in your wallet`,

  topUp: (sum: string) => `Top-up of ${sum}`,
  topUpAndBuy: (sum: string) => `Top up ${sum} and buy`,
  topUpAndBuyTitle: 'Top up and buy',
  topUpAndBuyNote: (sum: string) => `By MoMo or card, ${sum} with the provider’s ${PERCENT}`,
  intoWallet: 'Into your wallet',
  fromWalletThen: 'Then from your wallet',
  leftThen: 'Left in your wallet',
  ifNotBought: (sum: string) =>
    `If the price changes or it sells out meanwhile, the ${sum} stays in your wallet. The ${PERCENT} isn’t returned.`,
}
