/** Ways to buy besides the site. */
export const CHANNELS = ['ussd', 'whatsapp'] as const
export type ChannelName = (typeof CHANNELS)[number]

export const CHANNEL_WORDS: Record<ChannelName, string> = { ussd: 'USSD', whatsapp: 'WhatsApp' }
