// @ts-check

/**
 * Pesewas as people read them: `GHS 25.75`.
 * @param {number} pesewas
 * @param {string} currency
 */
export function formatPesewas(pesewas, currency) {
  return `${currency}\u00a0${(pesewas / 100).toLocaleString('en-GH', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
}
