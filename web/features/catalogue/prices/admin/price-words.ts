import { formatDateTime } from '../../../../../shared/dates.ts'
import { formatPesewas } from '../../../../../shared/money.ts'
import { isBigFall } from '../../../../../shared/price-rules.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { type DraftCounts, draftOf, type GridProduct, type PriceDraft, type ProductDraft, withDraft } from './price-draft.ts'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** A time in Ghana, which is UTC all year: "Mon 23/11, 6:00am". */
export function timeWords(at: Date): string {
  const hour = at.getUTCHours()
  const minutes = at.getUTCMinutes().toString().padStart(2, '0')
  return `${DAYS[at.getUTCDay()]} ${formatDateTime(at).slice(0, 5)}, ${hour % 12 === 0 ? 12 : hour % 12}:${minutes}${hour < 12 ? 'am' : 'pm'}`
}

/** "30 new prices, 1 to hide or show, 2 costs". */
export function changeWords({ prices, shown, costs }: DraftCounts): string {
  const parts = [
    prices > 0 && counted(prices, 'new price'),
    shown > 0 && `${shown} shown or hidden`,
    costs > 0 && counted(costs, 'new cost'),
  ]
  return parts.filter(Boolean).join(', ')
}

export type Warning = { offer: string; text: string }

/** What an owner seldom means: prices below cost, or far below what they were, and agents who pay more than customers. Only of what is about to change. */
export function warningsOf(product: GridProduct, draft: ProductDraft): Warning[] {
  return product.packages.flatMap((line) => {
    const changes = draft.lines[line.offer]
    if (!changes) return []
    const { offer, customer, agent, cost, hidden } = withDraft(line, draft)
    if (hidden) return []
    const below = (['customer', 'agent'] as const).flatMap((field) => {
      const price = field === 'customer' ? customer : agent
      const who = field === 'customer' ? 'customers' : 'agents'
      if (cost !== null && price < cost && (changes[field] ?? changes.cost))
        return [{ offer, text: `${who} pay ¢${formatPesewas(price)}, below its cost of ¢${formatPesewas(cost)}` }]
      if (!isBigFall(line[field], price)) return []
      return [{ offer, text: `${who} pay ¢${formatPesewas(price)} instead of ¢${formatPesewas(line[field])}` }]
    })
    const dearer = agent > customer && (changes.agent ?? changes.customer)
    return dearer ? [...below, { offer, text: `agents pay more than customers` }] : below
  })
}

/** Which products have changes that are not published. */
export function unpublishedIn(drafts: PriceDraft, products: readonly GridProduct[]): GridProduct[] {
  return products.filter((product) => Object.keys(draftOf(drafts, product).lines).length > 0)
}
