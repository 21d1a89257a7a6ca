const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const EXTENDED = '^{}\\[]~|€\f'

/** The number of segments of a text, each of which is charged. One character outside GSM-7 shortens all segments. */
export function countSegments(text: string): number {
  let septets = 0
  for (const character of text) {
    if (BASIC.includes(character)) septets += 1
    else if (EXTENDED.includes(character)) septets += 2
    else return text.length <= 70 ? 1 : Math.ceil(text.length / 67)
  }
  return septets <= 160 ? 1 : Math.ceil(septets / 153)
}
