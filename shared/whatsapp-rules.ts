/** A code that connects a WhatsApp number works for so long. */
export const LINK_CODE_MINUTES = 10
/** The word before the code in the chat. */
export const LINK_WORD = 'LINK'

/** Opens the chat with the shop and the message already typed. `number` has ten digits. */
export function chatLink(number: string, text: string): string {
  return `https://wa.me/233${number.slice(1)}?text=${encodeURIComponent(text)}`
}
