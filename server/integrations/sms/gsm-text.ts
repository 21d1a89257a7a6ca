/** The basic alphabet of GSM 03.38, one septet each. */
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** Its extension table, two septets each. */
const EXTENDED = new Set('^{}\\[]~|€\f')

/** A single message holds 160 septets. */
export const SEGMENT_SEPTETS = 160

/** The length in septets, or null when a character is in neither alphabet: the message would be sent as UCS-2 and cost more. */
export function countSeptets(text: string): number | null {
  let septets = 0
  for (const character of text) {
    if (BASIC.has(character)) septets += 1
    else if (EXTENDED.has(character)) septets += 2
    else return null
  }
  return septets
}

/**
 * Reduces user input to letters, digits, spaces and inner points or hyphens, so that it cannot form a link or a line of its
 * own. At most `most` characters.
 */
export function plainWord(text: string, most: number): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9.\- ]+/g, ' ')
    .replace(/(?<![0-9])\.|\.(?![0-9])/g, ' ')
    .replace(/(?<![A-Za-z0-9])-|-(?![A-Za-z0-9])/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most)
    .trim()
}
