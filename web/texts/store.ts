/** Words of the store as everybody sees it. */
export const storeTexts = {
  title: 'Store',
  introVisitor: 'Prices are final. Register once, then buy in three taps.',
  oldPrices: (on: string) => `Prices as you last saw them, on ${on}. We’re checking for today’s.`,
  oldStore: 'This is the store as you last saw it.',
  tryAgain: 'Try again',
  readNotice: 'Read the notice',
  loading: 'Loading the store…',
  theStore: 'The store',
  nothingForSale: 'Nothing for sale yet',
  nothingForSaleText: 'Our bundles will show here. Please come back soon.',
  networks: 'Networks',
  outOfStock: '(Out of stock)',
  usually: (minutes: number) => `Usually ${minutes} min`,
  allOffers: (count: number) => `All ${count} offers`,
  fewerOffers: 'Fewer offers',
  notForSale: 'That bundle isn’t for sale right now. Here is what is.',
}
