/** What buyers of checkers read. */
export const checkerTexts = {
  title: (many: boolean) => (many ? 'Your checkers' : 'Your checker'),
  serial: 'Serial',
  pin: 'PIN',
  copySerial: (serial: string) => `${serial}, copy the serial`,
  copyPin: (pin: string) => `${pin}, copy the PIN`,
  use: (place: string) => `Use it at ${place}`,
  replaced: 'This one was faulty. The one below works instead.',
  secret: 'Keep the PIN to yourself: whoever has it can use it.',
  sms: 'Send by SMS again',
  email: 'Send by e‑mail',
  what: 'Your checker',
  unlock: 'Show my checker',
  number: 'The number you bought with',
  numberHint: 'So that nobody else who has this link sees your PIN.',
  wrongNumber: 'That is not the number of this order.',
}
