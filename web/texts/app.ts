/** What surrounds every screen: the bars, the footer, notices about the account, and screens that failed. */
export const appTexts = {
  skip: 'Skip to the content',
  sandbox: 'Sandbox: no real money moves.',

  main: 'Main',
  store: 'Store',
  cart: 'Cart',
  items: (count: number) => (count === 1 ? 'item' : 'items'),
  dashboard: 'My Dashboard',
  login: 'Login',
  register: 'Register',
  logout: 'Logout',
  account: 'Account',
  walletBalance: 'Wallet balance',
  adminPortal: 'Admin Portal',
  admin: 'Admin',
  info: 'Info',
  homeAndContact: 'Home and contact',
  darkMode: 'Dark mode',
  lightMode: 'Light mode',

  copyright: (year: number, shop: string) => `© ${year} ${shop}. All rights reserved.`,
  track: 'Where is my order?',

  transactions: 'My Transactions',
  wallet: 'My Wallet',

  notFound: 'Page not found',
  notFoundTitle: 'There is no page at this address',
  notFoundText: 'The link may be old, or a letter may be missing.',
  goToStore: 'Go to the store',
  failed: 'We couldn’t show this screen',
  failedText: 'Your wallet and your orders are safe. Check your connection, then load the screen again.',
  loadAgain: 'Load it again',

  banned: 'This account has been banned',
  bannedText:
    'We signed you out, and you can’t log in or buy for now. Your wallet balance is kept. If you think this is a mistake, write to us.',
  bannedHelp: 'Hello, my account has been banned. Please tell me why.',
  expired: 'You have been logged out',
  expiredText:
    'Your session has ended. That happens after a long time away, or when your password is changed. Log in again: your cart and what you typed are still here.',
  expiredHelp: 'Hello, I was logged out of the shop and need help to log in.',
  unsent: 'You are logged out here, but the shop doesn’t know yet',
  unsentText: 'No connection. We’ll tell the shop once you’re back online, even if you close this page and open it later.',
  debited: (count: number) => (count === 1 ? 'The shop took money from your wallet' : 'The shop took money from your wallet several times'),
  debitedHelp: 'Hello, I have a question about money the shop took from my wallet.',
  on: 'on',
  noReason: '. No reason was given.',
  dismiss: 'Dismiss',
}
