/** Amounts in pesewas. Without a balance MTN writes its short form. */
export type Movement = { amount: number; balance: number; id: string; name?: string; reference?: string; number?: string; at?: Date }

const cedis = (pesewas: number) => (pesewas / 100).toFixed(2).replace(/\B(?=(?:\d{3})+\.)/g, ',')

/** How the networks word what happens in a wallet, as on receiving phones in 2026. */
export const WRITES = {
  MTN: {
    received: ({ amount, balance, id, name = 'AMA SAMPLE', reference = '1' }: Movement) =>
      `Payment received for GHS ${cedis(amount)} from ${name}  Current Balance: GHS ${cedis(balance)} . Available Balance: GHS ${cedis(balance)}. Reference: ${reference}. Transaction ID: ${id}. TRANSACTION FEE: 0.00`,
    withdrawn: ({ amount, balance, id }: Movement) =>
      `Cash Out made for GHS${cedis(amount)} to ADOM ELECTRICALS . Current Balance: GHS${cedis(balance)} Financial Transaction Id: ${id}. Cash-out fee is charged automatically. Fee charged: GHS0.00.`,
  },
  Telecel: {
    received: ({ amount, balance, id, name = 'AMA SAMPLE', reference = '1', number = '233209876543', at = new Date() }: Movement) =>
      `${id.padStart(16, '0')} Confirmed. You have received GHS${cedis(amount)} from ${number} - ${name} on ${at.toISOString().slice(0, 10)} at ${at.toISOString().slice(11, 19)}. Your Telecel Cash balance is GHS${cedis(balance)}.\nReference: ${reference}.\nStay alert. Telecel never asks for your PIN.`,
    withdrawn: ({ amount, balance, id, at = new Date() }: Movement) =>
      `${id.padStart(16, '0')} Confirmed. You have withdrawn GHS${cedis(amount)} from G62667 - ADOM ELECTRICALS on ${at.toISOString().slice(0, 10)} at ${at.toISOString().slice(11, 19)}. Your Telecel Cash balance is GHS${cedis(balance)}. You were charged GHS0.00.`,
  },
} as const

export const SENDERS = { MTN: 'MobileMoney', Telecel: 'T-CASH' } as const
export type PhoneNetwork = keyof typeof WRITES
