/** The details of the person whom an AFA order registers. */
export const afaTexts = {
  what: 'The registration',
  loading: 'Loading the registration…',
  title: 'Who is registered for AFA?',
  ask: 'Your order waits for these details. Copy them from the Ghana Card.',
  /** Before what comes next. */
  askBefore: {
    pay: 'We need these details to register for AFA. Copy them from the Ghana Card; you pay in the next step.',
    cart: 'We need these details to register for AFA. Copy them from the Ghana Card; then it goes into your cart.',
  },
  goOn: { pay: 'Go on to pay', cart: 'Add to cart' },
  fullName: 'Full name',
  phone: 'MTN number',
  ghanaCard: 'Ghana Card number',
  ghanaCardHint: 'On the front of the card, like GHA-123456789-0.',
  birthDate: 'Date of birth',
  region: 'Region',
  chooseRegion: 'Choose the region',
  town: 'Town or village',
  occupation: 'Work',
  occupationHint: 'Such as farmer, trader, student.',
  consent: 'I agree that the shop passes these details on to register this person, and the person agrees.',
  mustAgree: 'Please agree that we pass the details on.',
  privacy: (days: number | null) =>
    `We use them for this registration only, show them to nobody else, and erase them ${days === null ? 'once the order has ended and any questions are settled' : `${days} days after the order has ended`} (Data Protection Act, 2012, Act 843).`,
  send: 'Send the details',
  sending: 'Sending…',
  sent: 'Thank you. We have the details.',
  correct: 'Correct them',
  state: {
    needed: '',
    received: 'We have the details and send them to the registrar next.',
    sent: 'The registrar has the details. It mostly takes a day; then dial *1848# on that number.',
    registered: 'Registered. Dial *1848# on that number.',
    refused: 'The registrar refused it, and you have your money back.',
  },
  news: (number: string) => `Order ${number} waits: open it in My Transactions and tell us who is registered for AFA.`,
}
