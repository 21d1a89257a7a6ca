/** What surrounds every screen: the bars, the footer, and screens that failed. */
export const appTexts = {
  skip: 'Skip to the content',
  sandboxName: 'Sandbox',
  sandbox: 'Sandbox: no real money moves.',

  main: 'Main',
  store: 'Store',
  dashboard: 'My Dashboard',
  login: 'Login',
  register: 'Register',
  darkMode: 'Dark mode',
  lightMode: 'Light mode',

  copyright: (year: number, shop: string) => `© ${year} ${shop}. All rights reserved.`,
  track: 'Where is my order?',

  transactions: 'My Transactions',
  wallet: 'My Wallet',
  account: 'My Account',
}
