/** The operator may give a number in any of its forms, or a whole address. `text` is what the message begins with. */
export function whatsAppAddress(number: string, text?: string): string {
  const address = number.startsWith('https://') ? number : `https://wa.me/${number.replace(/\D/g, '').replace(/^0/, '233')}`
  return text ? `${address}?text=${encodeURIComponent(text)}` : address
}
