/** The shop in a WhatsApp chat. */
export const whatsappTexts = {
  title: 'WhatsApp',
  why: (phone: string) => `Buy by chat from ${phone}: prices, orders and your balance. Each purchase asks for your PIN.`,
  loadFailed: 'Your WhatsApp',
  loading: 'Loading…',
  off: 'Not connected.',
  on: (day: string) => `Connected since ${day}.`,
  stopped: 'You wrote STOP, so we send you no news of orders there. Write START in the chat to have it again.',
  connect: 'Connect WhatsApp',
  connecting: 'One moment…',
  open: 'Open the chat',
  steps: (code: string, number: string, minutes: number) =>
    `Send LINK ${code} to ${number} on WhatsApp, from your own number. The code works for ${minutes} minutes.`,
  waiting: 'We wait for your message…',
  over: 'That code has run out. Get a new one.',
  done: 'WhatsApp is connected.',
  chat: 'Open the chat',
  end: 'Disconnect',
  endQuestion: 'Disconnect WhatsApp from your account?',
  endYes: 'Yes, disconnect',
}
