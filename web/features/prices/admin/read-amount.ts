import { parseCedis } from '../../../../shared/money.ts'

/** An amount as typed into a cell, in pesewas: "5.5", "¢5.50", "5,50", "1,234.50". Null when nothing is there. */
export function readAmount(text: string): number | null | 'wrong' {
  const bare = text.trim().replace(/^(?:gh\s?[s¢₵]|[¢₵])\s?/i, '')
  if (bare === '') return null
  const plain = bare.replaceAll(/,(?=\d{3}(?:\D|$))/g, '').replace(/^(\d+),(\d{1,2})$/, '$1.$2')
  const pesewas = parseCedis(/^\.\d/.test(plain) ? `0${plain}` : plain)
  return pesewas !== null && pesewas > 0 ? pesewas : 'wrong'
}
