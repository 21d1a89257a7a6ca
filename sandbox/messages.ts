/** A message that left the shop, as the one who gets it would see it. */
export type Message = { channel: 'email' | 'sms'; to: string; subject?: string; body: string; at: string }
