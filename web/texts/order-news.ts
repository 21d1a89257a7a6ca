const orders = (count: number) => `${count.toLocaleString('en-GH')} ${count === 1 ? 'order' : 'orders'}`
const outcome = (landed: number, refunded: number, amount: string) =>
  [
    landed > 0 && `${orders(landed)} landed.`,
    refunded > 0 && `${orders(refunded)} ${refunded === 1 ? 'was' : 'were'} refunded: ${amount} is back in your wallet.`,
  ]
    .filter(Boolean)
    .join(' ')

/** What one toast says of many orders. */
export const orderNewsTexts = {
  many: outcome,
  list: (name: string, landed: number, refunded: number, amount: string) =>
    `Your list ${name} is done: ${outcome(landed, refunded, amount)}`,
}
