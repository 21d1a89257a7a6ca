import { countSeptets } from '../sms/gsm-text.ts'

type Shown = { text: string; options: { key: string; label: string; note?: string }[] }

/** A screen as one USSD message: the text, and an option on each line. */
function renderScreen({ text, options }: Shown): string {
  return toGsm([text, ...options.map(({ key, label, note }) => `${key}. ${label}${note === undefined ? '' : ` ${note}`}`)].join('\n'))
}

/** Whether it fits into a message of so many characters, of which those of the extension table count twice. */
export function fitsScreen(screen: Shown, mostCharacters: number): boolean {
  return (countSeptets(renderScreen(screen)) ?? Number.POSITIVE_INFINITY) <= mostCharacters
}

/** The message, cut if it does not fit. */
export function fitScreen(screen: Shown, mostCharacters: number): string {
  let text = renderScreen(screen)
  while ((countSeptets(text) ?? 0) > mostCharacters) text = [...text].slice(0, -1).join('')
  return text
}

/** What a phone can show: letters without what GSM lacks, and the cedi's sign in words. */
function toGsm(text: string): string {
  const plain = text
    .replace(/[¢₵]/g, 'GHS ')
    .replace(/[’‘]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/[–—]/g, '-')
    .replace(/\s*•+\s*/g, '..')
  return [...plain].map((character) => (countSeptets(character) === null ? withoutAccent(character) : character)).join('')
}

function withoutAccent(character: string): string {
  const [letter = ''] = character.normalize('NFKD')
  return countSeptets(letter) === null ? '?' : letter
}
