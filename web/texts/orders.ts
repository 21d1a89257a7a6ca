/** `minutes` as in a sentence about time. */
function minutes(count: number): string {
  return count === 1 ? 'a minute' : `${count} minutes`
}

type News = { number: string; network: string; offer: string; receiver: string; amount: string }

/** The order's page, its report, the tracker and the shared link. */
export const orderTexts = {
  kicker: (number: string) => `Order ${number}`,
  usual: (from: number, to: number) => (from === to ? `most take ${minutes(to)}` : `8 in 10 take ${from} to ${to} min`),
  label: 'What has happened',
  by: (time: string) => `by ${time}`,

  refunded: { title: 'Refunded', text: 'We could not deliver this order, so the buyer has the money back.' },
  refundedTo: (amount: string) => `We refunded ${amount} to your wallet.`,
  corrected: (from: string, to: string, agreedBy: string, how: string) =>
    `We corrected the number from ${from} to ${to}. ${agreedBy} agreed ${how}.`,
  consent: { whatsapp: 'by WhatsApp', call: 'on the phone', sms: 'by SMS', 'in-person': 'in person' },
  delivered: { title: 'Delivered', text: (network: string) => `${network} says that the data is there.` },
  closing: (network: string) => `${network} says that the data is there. We’re closing the order.`,
  completed: { title: 'Completed', text: 'The shop has sent it. It may take a few minutes to show on the phone.' },
  sentAgain: { title: 'Sent again', text: 'We have sent it once more. It may take a few minutes to show on the phone.' },
  note: { refunded: 'refunded', closing: 'being closed' },
  checker: { title: 'Completed', text: 'The serial and PIN stand below, or in the SMS that came with them.' },
  checkerNoSms: { title: 'Completed', text: 'The serial and PIN stand below. If they don’t, ask the shop for them.' },
  checkerSent: { title: 'Completed', text: 'The serial and PIN came by SMS.' },
  checkerGiven: { title: 'Completed', text: 'The buyer has the serial and PIN.' },
  lookedInto: { title: 'We’re looking into it', text: 'You reported that it hasn’t arrived. The shop answers below.' },
  needsDetails: { title: 'Waiting for details', text: 'Tell us who is registered for AFA, then we send it to the registrar.' },
  registering: { title: 'Being registered', text: 'It mostly takes a day. We’ll tell you here.' },
  registered: { title: 'Registered', text: 'Dial *1848# on that number.' },
  onItsWay: { title: 'On its way', text: 'Usually 5 minutes to 2 hours.' },
  mostTake: 'Most orders take 5 minutes to 2 hours.',
  verifying: {
    title: (network: string) => `${network} is checking the number`,
    text: 'It never got this kind of data before, so the network checks it once. That takes one to six days. The data comes by itself after that.',
  },
  late: { title: 'Taking longer than usual', text: (usual: string) => `${usual} This one is still on its way.` },
  expected: (time: string) => `Expect it by ${time}`,
  mostArrive: (network: string, count: number) => `Most ${network} orders arrive within ${minutes(count)}.`,

  steps: { paid: 'Paid', sent: 'Sent', delivered: 'Delivered', completed: 'Completed', resent: 'Sent again', refunded: 'Refunded' },
  fromWallet: 'From your wallet',
  byCard: 'By card or mobile money',
  networkHasIt: (network: string) => `${network} has the order`,
  shopSentIt: 'The shop has sent it',
  shopSentAgain: 'Because you reported it',
  weWillTell: 'We’ll tell you here',
  pinBySms: 'The PIN and serial number come by SMS',
  pinHere: 'The PIN and serial number show here',

  /** What a toast says of each change. */
  news: {
    sent: ({ network, offer, receiver }: News) => `${network} has your order of ${offer} for ${receiver}.`,
    delivered: ({ offer, receiver }: News) => `Your ${offer} has landed on ${receiver}.`,
    completed: ({ number }: News) => `Order ${number} is completed.`,
    refunded: ({ number, amount }: News) => `Order ${number} was refunded: ${amount} is back in your wallet.`,
  },

  share: 'Share',
  receipt: 'Receipt',
  buyAgain: 'Buy again',
  whatsAppHelp: 'WhatsApp help',
  whatsAppText: (
    shop: string,
    order: { number: string; network: string; offer: string; receiver: string; reference: string; status: string },
  ) =>
    `Hello ${shop}, my order ${order.number} (${order.network} ${order.offer} to ${order.receiver}, reference ${order.reference}) is ${order.status}.`,
  reference: 'Reference',
  paymentReference: 'Payment reference',
  clientReference: 'Your reference',
  date: 'Date',
  utc: (date: string) => `${date} UTC`,
  what: 'The order',
  wait: 'Where is my order?',
  absent: 'There is no such order',
  absentText: 'It may have been bought with another account.',
  seeTransactions: 'See My Transactions',
  linkCopied: 'Link copied. Whoever has it sees where the order is.',
  linkNotCopied: (url: string) => `Could not copy. Select it by hand: ${url}`,
}

/** "I haven't received it", from the button to how it ended. */
export const reportTexts = {
  open: 'I haven’t received it',
  opensAt: (time: string, network: string) => `Opens at ${time}, after the usual time of ${network}`,
  ask: 'The shop looks into it and answers here.',
  line: 'Anything we should know?',
  lineHint: 'You can leave this empty.',
  send: 'Send report',
  sending: 'Sending…',
  sent: 'Your report is with the shop. The answer comes here.',
  title: {
    open: 'You reported that it hasn’t arrived',
    delivered: 'The shop found that it was delivered',
    resent: 'The shop sent it again',
    refunded: 'The shop refunded it',
  },
  since: (time: string) => `Since ${time}. The shop answers here.`,
  ended: (time: string) => `Ended ${time}`,
  you: 'You',
  shop: 'The shop',
  addLine: 'Add a line',
  add: 'Send',
  /** What a toast says: an answer while it is open, and how it ended. A refund is told as the order's own news. */
  news: {
    open: (number: string) => `The shop answered your report of order ${number}.`,
    delivered: (number: string) => `The shop found that order ${number} was delivered. See what it says.`,
    resent: (number: string) => `The shop sent order ${number} again.`,
    refunded: () => '',
  },
  newForShop: (number: string) => `A customer says that order ${number} hasn’t arrived.`,
}

export const newsTexts = {
  sms: 'Text me about my orders',
  smsTo: (phone: string) => `When one is done or refunded, or the shop answers. To ${phone}.`,
}

export const trackerTexts = {
  title: 'Where is my order?',
  intro: 'No need to sign in: the order and the number that gets the data are enough.',
  reference: 'Order number or reference',
  referenceHint: 'Both are on the receipt.',
  receiver: 'Receiver phone number',
  track: 'Track order',
  looking: 'Looking…',
  another: 'Track another order',
  store: 'Go to the store',
  backTo: (shop: string) => `Back to ${shop}`,
  refundTitle: 'Could not be delivered',
  refund: {
    owed: (_to: string, tells?: boolean) =>
      `The buyer gets the money back. ${tells ? 'We send an SMS when it is on its way.' : 'You see here when it is on its way.'}`,
    'on-its-way': () => 'The money is on its way back to the card or phone that paid. It can take a few days.',
    back: () => 'The money is back on the card or phone that paid.',
    'by-hand': (to: string) => `We sent the money back to ${to} by mobile money.`,
    code: (to: string) => `The money could not go back the way it was paid. It waits as a code for ${to}.`,
    'in-a-wallet': () => 'The code was used: the money is in a wallet here.',
  },
  refundNote: 'money goes back',
  codeNote: 'waits as a code',
  stepRefunded: 'Not delivered',
  checkerHere: { title: 'Completed', text: 'The serial and PIN stand below, for whoever knows the number.' },
  sendCode: 'Send the code by SMS',
  codeInShop: 'The code stands in the shop, on the phone and in the browser that paid.',
  useCode: 'Use the code in My Wallet',
  notReceived: 'Not received? Report it',
  notReceivedFrom: (time: string) => `Not received? You can report it from ${time}`,
  reported: (tells: boolean) => `It was reported as not received. We look into it and ${answered(tells)}.`,
  answer: (shop: string) => `${shop} answered`,
  reportTitle: 'Report it as not received?',
  reportText: (tells: boolean) =>
    `Please check the data balance on the phone first. We look into it and ${answered(tells)}${tells ? ', to the number that paid' : ''}.`,
  report: 'Yes, report it',
  absentText: 'A letter of the link may be missing. Ask for it again, or look the order up by its number.',
}

/** No message is promised that the shop can’t send. */
function answered(tells: boolean): string {
  return tells ? 'answer by SMS' : 'answer here'
}
