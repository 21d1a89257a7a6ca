/** Registering with a number that an account has. Numbers are texts such as "024 555 0101". */
export const takenNumberTexts = {
  question: (phone: string) => `Is ${phone} yours?`,
  how: 'Somebody may have typed it by mistake. We send it a code by SMS, and the number is yours.',
  mine: 'It’s my number',
  without: 'Not now',
  note: 'The old account keeps its money and orders. If it was used to buy, call us.',
}
