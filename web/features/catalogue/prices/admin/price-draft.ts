import { toCedis, toPesewas } from '../../../../../shared/money.ts'
import { type Adjustment, adjustPrice, roundPrice } from '../../../../../shared/price-rules.ts'
import type { CostChange, PriceChange, PricesReply, PublishRequest, StatedChange } from '../../../../../shared/prices.ts'

/** A product with its prices in pesewas; `cost` is null while it is not known. */
export type GridProduct = Omit<PricesReply['products'][number], 'packages'> & { packages: readonly GridPackage[] }
export type GridPackage = { offer: string; customer: number; agent: number; cost: number | null; hidden: boolean }

export type PriceField = 'customer' | 'agent'
export type AmountField = PriceField | 'cost'
type Cell<T> = {
  /** What was there when the admin changed it, which the shop compares. */
  from: T
  to: T
  /** Not typed, but by one of the buttons, which takes it away again when it is pressed once more. */
  adjusted?: true
}
type DraftLine = { customer?: Cell<number>; agent?: Cell<number>; cost?: Cell<number | null>; hidden?: Cell<boolean> }
/** What an admin has changed about one product and not published. */
export type ProductDraft = { tool: string | null; lines: Readonly<Record<string, DraftLine>> }
export type PriceDraft = Readonly<Record<string, ProductDraft>>

/** Changes all prices of a product, or those of customers or agents alone. `name` is what its button says. */
export type PriceTool = { name: string; adjustment: Adjustment; fields: readonly PriceField[] }

const NO_DRAFT: ProductDraft = { tool: null, lines: {} }
export const PRICE_FIELDS = ['customer', 'agent'] as const

export const TOOLS: readonly PriceTool[] = [
  { name: '+5 %', adjustment: { percent: 5 }, fields: PRICE_FIELDS },
  { name: '+0.50', adjustment: { pesewas: 50 }, fields: PRICE_FIELDS },
  { name: '−5 %', adjustment: { percent: -5 }, fields: PRICE_FIELDS },
]

export function toGrid({ products }: PricesReply): GridProduct[] {
  return products.map((product) => ({
    ...product,
    packages: product.packages.map(({ offer, priceCustomer, priceAgent, cost, hidden }) => ({
      offer,
      customer: toPesewas(priceCustomer),
      agent: toPesewas(priceAgent),
      cost: cost === null ? null : toPesewas(cost),
      hidden,
    })),
  }))
}

export function draftOf(draft: PriceDraft, product: { _id: string }): ProductDraft {
  return draft[product._id] ?? NO_DRAFT
}

/** A package with what was changed about it. */
export function withDraft(line: GridPackage, { lines }: ProductDraft): GridPackage {
  const { customer, agent, cost, hidden } = lines[line.offer] ?? {}
  return {
    offer: line.offer,
    customer: customer?.to ?? line.customer,
    agent: agent?.to ?? line.agent,
    cost: cost ? cost.to : line.cost,
    hidden: hidden?.to ?? line.hidden,
  }
}

/** The draft with one field as typed or pressed; what is as it was is no change. */
export function setField<F extends keyof DraftLine>(draft: ProductDraft, line: GridPackage, field: F, to: GridPackage[F]): ProductDraft {
  return { ...draft, lines: replaceCell(draft.lines, line, field, to) }
}

/** Each price changed from what is on sale, but for those that were typed; pressed again it takes its own changes back. */
export function pressTool(draft: ProductDraft, product: GridProduct, { name, adjustment, fields }: PriceTool): ProductDraft {
  const takesBack = draft.tool === name
  const lines = changePrices(draft.lines, product, (line, field) => {
    const cell = draft.lines[line.offer]?.[field]
    if (cell && !cell.adjusted) return cell.to
    return takesBack || !fields.includes(field) ? line[field] : adjustPrice(line[field], adjustment)
  })
  return { tool: takesBack ? null : name, lines }
}

/** Each price, as it is now in the draft, to whole ten pesewas. */
export function roundAll(draft: ProductDraft, product: GridProduct): ProductDraft {
  const lines = changePrices(draft.lines, product, (line, field) => roundPrice(draft.lines[line.offer]?.[field]?.to ?? line[field]))
  return { ...draft, lines }
}

type ListPrices = Partial<Record<AmountField, number>>

/** The prices of a list that was pasted. */
export function takeList(draft: ProductDraft, product: GridProduct, prices: ReadonlyMap<string, ListPrices>): ProductDraft {
  let lines = draft.lines
  for (const line of product.packages) {
    for (const [field, to] of Object.entries(prices.get(line.offer) ?? {}) as [AmountField, number][]) {
      lines = replaceCell(lines, line, field, to)
    }
  }
  return { ...draft, lines }
}

/** What was left out of a schedule, from what is on sale now. */
export function takeChanges(draft: ProductDraft, product: GridProduct, changes: readonly StatedChange[]): ProductDraft {
  let { lines } = draft
  for (const { productId, offer, priceCustomer, priceAgent, hidden } of changes) {
    const line = product._id === productId && product.packages.find((one) => one.offer === offer)
    if (!line) continue
    if (priceCustomer) lines = replaceCell(lines, line, 'customer', toPesewas(priceCustomer.to))
    if (priceAgent) lines = replaceCell(lines, line, 'agent', toPesewas(priceAgent.to))
    if (hidden) lines = replaceCell(lines, line, 'hidden', hidden.to)
  }
  return { ...draft, lines }
}

/** Packages that somebody else has changed, or removed, since they were changed here. */
export function contestedOffers({ lines }: ProductDraft, product: GridProduct): string[] {
  return Object.entries(lines).flatMap(([offer, cells]) => {
    const line = product.packages.find((one) => one.offer === offer)
    if (!line) return [offer]
    return entriesOf(cells).some(([field, cell]) => cell.from !== line[field] && cell.to !== line[field]) ? [offer] : []
  })
}

/** Keeps one's own new prices over what somebody else has published since. */
export function keepMine(draft: ProductDraft, product: GridProduct): ProductDraft {
  let lines: ProductDraft['lines'] = {}
  for (const line of product.packages) {
    for (const [field, cell] of entriesOf(draft.lines[line.offer] ?? {}))
      lines = replaceCell(lines, line, field, cell.to as never, cell.adjusted)
  }
  return { ...draft, lines }
}

/** Drops one's own changes of packages that somebody else has changed. */
export function takeTheirs(draft: ProductDraft, product: GridProduct): ProductDraft {
  const contested = contestedOffers(draft, product)
  return { ...draft, lines: Object.fromEntries(Object.entries(draft.lines).filter(([offer]) => !contested.includes(offer))) }
}

export type DraftCounts = { prices: number; costs: number; shown: number; all: number }

export function countChanges({ lines }: ProductDraft): DraftCounts {
  const cells = Object.values(lines).flatMap((line) => Object.keys(line) as (keyof DraftLine)[])
  const count = (...fields: (keyof DraftLine)[]) => cells.filter((field) => fields.includes(field)).length
  return { prices: count('customer', 'agent'), costs: count('cost'), shown: count('hidden'), all: cells.length }
}

/** What to send; amounts in cedis. */
export function requestOf({ lines }: ProductDraft, { _id: productId, supplier }: GridProduct): PublishRequest {
  const inCedis = ({ from, to }: Cell<number>) => ({ from: toCedis(from), to: toCedis(to) })
  const changes: PriceChange[] = []
  const costs: CostChange[] = []
  for (const [offer, { customer, agent, hidden, cost }] of Object.entries(lines)) {
    if (customer ?? agent ?? hidden) {
      changes.push({
        productId,
        offer,
        ...(customer && { priceCustomer: inCedis(customer) }),
        ...(agent && { priceAgent: inCedis(agent) }),
        ...(hidden && { hidden: { from: hidden.from, to: hidden.to } }),
      })
    }
    if (cost)
      costs.push({
        productId,
        offer,
        supplier,
        from: cost.from === null ? null : toCedis(cost.from),
        to: cost.to === null ? null : toCedis(cost.to),
      })
  }
  return { changes, costs }
}

/** The draft without prices and what is shown, once they are scheduled: costs count from now on and stay to be published. */
export function costsOnly({ lines }: ProductDraft): ProductDraft {
  const costs = Object.entries(lines).flatMap(([offer, { cost }]) => (cost ? [[offer, { cost }] as const] : []))
  return { tool: null, lines: Object.fromEntries(costs) }
}

function changePrices(before: ProductDraft['lines'], { packages }: GridProduct, next: (line: GridPackage, field: PriceField) => number) {
  let lines = before
  for (const line of packages) {
    for (const field of PRICE_FIELDS) {
      const cell = before[line.offer]?.[field]
      const to = next(line, field)
      const isTyped = cell && !cell.adjusted && cell.to === to
      lines = replaceCell(lines, line, field, to, isTyped ? undefined : true)
    }
  }
  return lines
}

function replaceCell<F extends keyof DraftLine>(
  lines: ProductDraft['lines'],
  line: GridPackage,
  field: F,
  to: GridPackage[F],
  adjusted?: true | undefined,
): ProductDraft['lines'] {
  const { [line.offer]: before = {}, ...others } = lines
  const { [field]: _, ...rest } = before
  const after = to === line[field] ? rest : { ...rest, [field]: { from: line[field], to, ...(adjusted && { adjusted }) } }
  return Object.keys(after).length === 0 ? others : { ...others, [line.offer]: after }
}

function entriesOf(line: DraftLine): [keyof DraftLine, Cell<number | boolean | null>][] {
  return Object.entries(line) as [keyof DraftLine, Cell<number | boolean | null>][]
}
