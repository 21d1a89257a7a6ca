const MONEY = String.raw`(?:GHS|GH¢|GH₵|¢|₵)? ?\d[\d,]*(?:\.\d{1,2})?`

/** Where each placeholder usually stands, behind the words that tell it. */
const CLUES: readonly [placeholder: string, where: RegExp][] = [
  ['id', /(\bID:? ?)[A-Z0-9][A-Z0-9.-]{6,28}[A-Z0-9]/i],
  ['id', /^()\d{11,16}(?!\d)/],
  ['balance', new RegExp(`(balance(?: is)?:? ?|you now have )${MONEY}`, 'i')],
  ['amount', /()(?:GHS|GH¢|GH₵|¢|₵) ?\d[\d,]*(?:\.\d{1,2})?/i],
  ['reference', /((?:Ref|Reference|Note|Message): ?)[^\s{][^\n{]{0,80}?(?=\.? (?:Trans|ID|You)|\.?\n|\.?$)/i],
  ['payer', /(\bfrom )[^\n{]{1,60}?(?= ?[.,(]| on |\n| Current| Ref)/i],
]

/**
 * A first guess at the words of a form from one message, which whoever writes it corrects: "You got {amount} from {payer}. ID: {id}". What
 * comes after the last placeholder is left out.
 */
export function wordsOfMessage(message: string): string {
  let words = message.trim()
  for (const [placeholder, where] of CLUES) if (!words.includes(`{${placeholder}}`)) words = words.replace(where, `$1{${placeholder}}`)
  const end = words.lastIndexOf('}')
  return end === -1 ? words : words.slice(0, end + 1)
}
