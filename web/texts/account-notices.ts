/** Notices about somebody's account, above every screen. */
export const noticeTexts = {
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
