export type HelpAbout = 'order' | 'receipt' | 'top-up' | 'payment' | 'sign-in' | 'cart' | 'shop'

const ABOUT: Record<HelpAbout, string> = {
  order: 'my order',
  receipt: 'my order',
  'top-up': 'my top-up',
  payment: 'my payment',
  'sign-in': 'signing in',
  cart: 'my cart',
  shop: 'buying data',
}

export const helpTexts = {
  help: 'Help',
  whatsAppHelp: 'WhatsApp help',
  writeToUs: 'Write to us on WhatsApp',
  message: (shop: string, about: HelpAbout, reference?: string) =>
    `Hello ${shop}, please help me with ${ABOUT[about]}${reference ? ` ${reference}` : ''}.`,
}
