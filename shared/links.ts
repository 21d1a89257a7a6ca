/** Opens a chat with a number in any of its forms, `text` written already; a whole https address stays as the operator gave it. */
export function whatsAppLink(number: string, text = ''): string {
  if (number.startsWith('https://')) return number
  return `https://wa.me/${number.replace(/\D/g, '').replace(/^00/, '').replace(/^0/, '233')}${text && `?text=${encodeURIComponent(text)}`}`
}

/** Lets the customer choose whom to send a text to. */
export function whatsAppShareLink(text: string): string {
  return `https://wa.me/?text=${encodeURIComponent(text)}`
}

export function callLink(phone: string): string {
  return `tel:${dialled(phone)}`
}

/** Puts a code such as *928# where numbers are dialled; a plain # would end the address. */
export function dialLink(code: string): string {
  return `tel:${encodeURIComponent(code)}`
}

export function smsLink(phone: string): string {
  return `sms:${dialled(phone)}`
}

/** Anything but the address itself, like `?bcc=`, is a part of the name. */
export function mailLink(email: string): string {
  return `mailto:${email.split('@').map(encodeURIComponent).join('@')}`
}

function dialled(phone: string): string {
  return phone.replace(/(?!^\+)\D/g, '')
}
