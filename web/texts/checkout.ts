/** Paying from the wallet, and what is uncertain meanwhile. */
export const checkoutTexts = {
  made: 'Purchase made successfully',
  orderPlaced: 'Your order is placed successfully',
  ordersPlaced: 'Orders placed successfully',
  checking: 'We’re checking if it went through…',
  keepOpen: 'The connection dropped. Please keep this page open; you won’t be charged twice.',
  stillNoAnswer:
    'Still no answer. Check your connection. You can close this page: we’ll check again when you’re back, and you’re never charged twice.',
  checkNumbers: (count: number) => (count === 1 ? 'Check this number' : 'Check these numbers'),
  moreInCart: (count: number) => `And ${count} more in your cart.`,
  logInFirst: 'Please log in before you pay.',
  earlierUnknown: 'We’re still checking if your earlier purchase went through. Once we know, you can pay for this one.',
  loggedOut: 'You’re logged out. My Transactions shows what you bought.',
  unfinished: 'Unfinished purchase',
  unfinishedQuestion: (what: string, price: string) =>
    `You started to buy ${what} for ${price}, and no answer came. Go on? If it hasn’t gone through, we pay it from your wallet now. ` +
    'You’re never charged twice.',
  bundles: (count: number) => `${count} bundles`,
  bundleTo: (bundle: string, receiver: string) => `${bundle} to ${receiver}`,
  goOn: 'Go on',
  leaveIt: 'Leave it',
  /** What changed while a question was open. */
  cartMeanwhile: 'Your cart has changed in another tab, so we didn’t charge anything here. Look at your cart again.',
  goneMeanwhile: (offer: string) => `${offer} isn’t available any more. We didn’t charge anything.`,
  priceMeanwhile: (offer: string, before: string, now: string) =>
    `The price of ${offer} has changed from ${before} to ${now}. We didn’t charge anything.`,
  walletMeanwhile: (balance: string, needed: string) =>
    `Your wallet has ${balance} now, and this costs ${needed}. We didn’t charge anything.`,
  knownMeanwhile: 'This purchase has been looked after meanwhile. My Transactions shows what you bought.',
  balanceMeanwhile: (balance: string) => `Your wallet has ${balance} now, so it lacks another amount. We didn’t charge anything.`,
}
