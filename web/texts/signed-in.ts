/** Words of the bars of whoever is signed in. */
export const signedInTexts = {
  cart: 'Cart',
  items: (count: number) => (count === 1 ? 'item' : 'items'),
  logout: 'Logout',
  account: 'Account',
  bulk: 'Bulk',
  bulkOrders: 'Bulk orders',
  myShop: 'My shop',
  earnings: 'Earnings',
  today: 'Today',
  walletBalance: 'Wallet balance',
  adminPortal: 'Admin Portal',
  admin: 'Admin',
  info: 'Info',
  homeAndContact: 'Home and contact',
}
