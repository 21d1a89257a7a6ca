/** The refund of an order that was paid by card or mobile money, on the order's page. Amounts are texts such as "¢48.00". */
export const refundToSourceTexts = {
  what: 'The refund',
  title: 'Your refund',
  loading: 'Loading your refund…',
  offered: (sum: string) => `${sum} is in your wallet, ready to spend. We can also send it back to the card or phone that you paid with.`,
  send: 'Send it back to my card instead',
  question: (sum: string) => `Send ${sum} back to the card or phone that you paid with?`,
  details:
    'We take it from your wallet now. Your bank or network may need a few days. If they can’t take it, it comes back to your wallet.',
  yes: (sum: string) => `Yes, send ${sum}`,
  sending: 'Sending…',
  sent: (sum: string) => `${sum} is on its way to the card or phone that you paid with.`,
  'on-its-way': (sum: string, since: string) =>
    `${sum} is on its way back to the card or phone that you paid with, since ${since}. It can take a few days.`,
  checking: (sum: string) =>
    `We’re checking with the card provider what became of ${sum}. It goes back once: to your card or phone, or to your wallet. There’s nothing to do.`,
  paid: (sum: string, at: string) => `${sum} went back to the card or phone that you paid with, ${at}.`,
  byHand: (sum: string, at: string) => `We sent ${sum} back to you by mobile money, ${at}.`,
  returned: (sum: string) => `${sum} could not go back to your card or phone, so it is in your wallet again.`,
}
