import { notAfter } from '../not-after.ts'
import { isMobilePhone } from '../phones.ts'

/** Nine digits after 0, 233, +233, 00233 or nothing, with a space, dot or dash between any two. */
const WITHIN = notAfter(/[\d.].$/s, /(?:(?:\+|00)?233[\s.-]?(?:\(0\)|0)?|0)?(?:[\s.-]?\d){9}(?!\d)/g)

/** The mobile numbers in a longer text, as ten digits, and where each stands. */
export function findPhones(text: string): { digits: string; from: number; to: number }[] {
  return [...text.matchAll(WITHIN)]
    .map(({ 0: written, index }) => ({ digits: `0${written.replace(/\D/g, '').slice(-9)}`, from: index, to: index + written.length }))
    .filter(({ digits }) => isMobilePhone(digits))
}
