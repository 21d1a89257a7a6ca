import { notAfter } from '../not-after.ts'
import { isMobilePhone, localDigits, operatorOfNumber, spacedPhone } from '../phones.ts'
import { asDoubtful, asRead, NOTHING, plainText, type Reading } from './reading.ts'

/** Digits with what stands between their groups. */
const PHONE = /^(?:tel:? ?|['’])?((?:\(\+|[+(])?\d[\d ().-]*)$/i
const POWER = /^(\d)[.,]?(\d*)e\+?(\d{1,2})$/i
const LOOK_ALIKE = /^[+(]?[\doil ().-]{9,20}$/i

/**
 * A mobile number of Ghana as people write it, as ten digits: "+233 (0)24 123 4567", "024-123-4567", nine digits without their 0. The whole
 * text is the number.
 */
export function readPhone(text: string): Reading<string> {
  const plain = plainText(text)
  if (plain === '') return NOTHING
  const [, first = '', rest = '', power] = POWER.exec(plain) ?? []
  if (power !== undefined) {
    const digits = localDigits(first + rest)
    const isWhole = rest.length === Number(power) && isMobilePhone(digits)
    return isWhole ? asRead(digits) : asDoubtful(text, 'Excel cut this number. Make its column text, then copy it again.')
  }
  const [, written] = PHONE.exec(plain.replace(/(\d{9})\.0{1,2}$/, '$1')) ?? []
  if (written === undefined) {
    const meant = localDigits(plain.replace(/o/gi, '0').replace(/[il]/gi, '1').replace(/\D/g, ''))
    return LOOK_ALIKE.test(plain) && isMobilePhone(meant)
      ? asDoubtful(text, `A letter is in the number. Did you mean ${spacedPhone(meant)}?`, [meant])
      : asDoubtful(text, 'That is not a phone number.')
  }
  const digits = localDigits(written.replace(/\D/g, ''))
  if (isMobilePhone(digits)) return isOne(written) ? asRead(digits) : asDoubtful(text, 'Is that one number?', [digits])
  return asDoubtful(text, wrongDigits(digits))
}

/** False where two numbers may stand side by side. A zero and the country code behind it begin a number of Glo as well. */
function isOne(written: string): boolean {
  return (
    !/[.-]{2}|\. | \./.test(written) && /^[^()]*(?:\([^()]*\)[^()]*)?$/.test(written) && !/^0233\d{9}$/.test(written.replace(/\D/g, ''))
  )
}

function wrongDigits(digits: string): string {
  if (digits.length === 9 && digits.startsWith('0')) return '9 digits, one is missing.'
  if (digits.length === 10 && operatorOfNumber(digits) === null) return `No network uses ${digits.slice(0, 3)}. Check the number.`
  return `${digits.length} digits, a number has 10.`
}

/** Nine digits after 0, 233, +233, 00233 or nothing, with a space, dot or dash between any two. */
const WITHIN = notAfter(/[\d.].$/s, /(?:(?:\+|00)?233[\s.-]?(?:\(0\)|0)?|0)?(?:[\s.-]?\d){9}(?!\d)/g)

/** The mobile numbers in a longer text, as ten digits, and where each stands. */
export function findPhones(text: string): { digits: string; from: number; to: number }[] {
  return [...text.matchAll(WITHIN)]
    .map(({ 0: written, index }) => ({ digits: `0${written.replace(/\D/g, '').slice(-9)}`, from: index, to: index + written.length }))
    .filter(({ digits }) => isMobilePhone(digits))
}
