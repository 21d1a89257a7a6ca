/** What surrounds every screen: the bars, the footer, and screens that failed. */
export const appTexts = {
  skip: 'Skip to the content',
  sandboxName: 'Sandbox',
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

  failed: 'We couldn’t show this screen',
  failedText: 'Your wallet and your orders are safe. Check your connection, then load the screen again.',
  loadAgain: 'Load it again',
}
