/** Words of the agent's Today. */
export const todayTexts = {
  title: 'Today',
  greeting: (hour: number, name: string) =>
    `${hour < 12 ? 'Good morning' : hour < 17 ? 'Good afternoon' : 'Good evening'}, ${name}. In your wallet`,
  anyWay: 'Numbers and sizes, any way',
  paste: 'Paste',
  writeList: 'Write a list',
  tryAgain: (count: number) => `Try ${count} again`,
  buyOne: 'Buy one',
  priceList: 'Price list',
  topUp: 'Top up',
  orders: 'Your latest orders',
  allOrders: 'All orders',
  ordersOf: 'Your orders',
  noOrders: 'Nothing sold yet',
  noOrdersText: 'What you send to your customers will show here.',
  to: (offer: string, receiver: string) => `${offer} to ${receiver}`,
}
