/** Confirming a number by a code that is sent to it. Numbers are texts such as "024 555 0101". */
export const numberTexts = {
  codeTitle: 'Type the code',
  codeSent: 'We sent 6 digits by SMS to',
  codeWorks: 'They work for 10 minutes.',
  code: 'Code from the message',
  confirmCode: 'Confirm',
  againIn: (time: string) => `No message? Send again in ${time}`,
  sendAgain: 'Send the code again',
  sentAgain: 'A new code is on its way.',

  title: 'Credited by itself',
  why: (phone: string) => `Confirm ${phone} once, and payments from it are credited by themselves. We send a code by SMS.`,
  confirm: 'Confirm my number',
  confirmed: (phones: string) => `Payments from ${phones} are credited by themselves.`,
  otherNumber: 'I pay from another number',
  number: 'Mobile money number',
  sendCode: 'Send the code',
  later: 'Pay with the reference',
  laterNote: 'With the reference code your payment is credited all the same.',
  done: (phone: string) => `${phone} is confirmed.`,
}
