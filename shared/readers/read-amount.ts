import { formatPesewas, MAX_AMOUNT_PESEWAS } from '../money.ts'
import { asDoubtful, asRead, type Decimal, type DecimalSign, NOTHING, plainText, type Reading, readDecimals, valueIn } from './reading.ts'

/** `negative`: amounts below zero are taken. `decimalSign`: that of the column. */
export type AmountHint = { negative?: boolean; decimalSign?: DecimalSign | undefined }

const AMOUNT =
  /^([+-]?) ?(?:(?:gh[sc¢₵]?|[¢₵])(?:\.(?!\d))? ?)?([+-]?)([\d.,'’ ]*\d)(?: ?(?:(?:ghana |gh )?cedis?|gh[sc¢₵]?|[¢₵])(?:,? (?:and )?(\d\d?) ?pesewas?)?\.?)?$/i
const PESEWAS = /^(\d{1,6}) ?(p|pesewas?)$/i

/** An amount in cedis as people write it, in pesewas: "55,50", "GH₵ 1,234.50", "50 cedis". What may be two amounts is doubtful: "1,500". */
export function readAmount(text: string, { negative = false, decimalSign }: AmountHint = {}): Reading<number> {
  const plain = plainText(text)
  if (plain === '') return NOTHING
  const [, small, unit] = PESEWAS.exec(plain) ?? []
  if (unit) return unit.length > 1 ? asRead(Number(small)) : asDoubtful(text, 'Is that pesewas?', [Number(small)])
  const [, outer, inner, digits, pesewas] = AMOUNT.exec(plain) ?? []
  if (digits === undefined || (outer && inner)) return asDoubtful(text, leftOver(plain))
  const { forms, sure } = readDecimals(digits.trim(), decimalSign)
  const factor = outer === '-' || inner === '-' ? -1 : 1
  const amounts = forms.flatMap((form) => {
    const amount = toPesewas(form, pesewas)
    return amount === null ? [] : [amount === 0 ? 0 : factor * amount]
  })
  const [amount] = amounts
  if (amount === undefined) {
    const isLong = forms.some(({ fraction }) => fraction.length > 2)
    return asDoubtful(text, forms.length === 0 || pesewas ? HOW : isLong ? 'An amount has at most two decimals.' : TOO_LARGE)
  }
  if (amount < 0 && !negative) return asDoubtful(text, 'An amount here can’t be below zero.')
  return sure ? asRead(amount) : asDoubtful(text, `Is that ${amounts.map((one) => `¢${formatPesewas(one)}`).join(' or ')}?`, amounts)
}

/** In pesewas; null for what is not read, which the field says. */
export function pesewasIn(text: string, hint?: AmountHint): number | null {
  return valueIn(readAmount(text, hint))
}

export const HOW = 'Write the amount like 1234.50.'
const TOO_LARGE = `That is more than ¢${formatPesewas(MAX_AMOUNT_PESEWAS)}.`

function toPesewas({ whole, fraction }: Decimal, pesewas?: string): number | null {
  if (pesewas !== undefined && fraction !== '') return null
  const decimals = pesewas === undefined ? fraction : pesewas.padStart(2, '0')
  if (!/^\d{0,2}0*$/.test(decimals) || whole.length > 15) return null
  const amount = Number(whole) * 100 + Number(decimals.slice(0, 2).padEnd(2, '0'))
  return amount <= MAX_AMOUNT_PESEWAS ? amount : null
}

/** What stands beside the amount in a text, which makes it none. */
function leftOver(plain: string): string {
  const foreign = plain
    .replace(/(?:gh[sc¢₵]?|[¢₵])?\.? ?[\d.,'’ ]*\d(?: ?(?:(?:ghana |gh )?cedis?|gh[sc¢₵]?|[¢₵])(?!\p{L}))?/iu, ' ')
    .trim()
  return foreign && foreign !== plain ? `“${foreign.slice(0, 20)}” is not part of an amount.` : HOW
}
