/** The colours of an agent's shop: few enough that each can be read in both themes. */
export const SHOP_COLOURS = ['green', 'plum', 'blue', 'violet', 'rust', 'teal', 'charcoal', 'red'] as const
/** @public */
export type ShopColour = (typeof SHOP_COLOURS)[number]

const SLUG_RULE = 'Use 3 to 30 small letters, digits and single dashes, such as akosua-data.'
/** Addresses of ours, and names that would seem to speak for us, a network or whoever takes the payment. */
const TAKEN_BY_US =
  'about account admin agent api app cart contact docs dwadi help join login me new official order orders owner payment privacy refund refunds shop staff store support terms track user wallet www airteltigo hubtel momo mtn paystack telecel vodafone'.split(
    ' ',
  )

/** What is wrong with the last part of a shop's link; null when nothing is. */
export function slugProblem(slug: string): string | null {
  if (!/^(?=.{3,30}$)[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug)) return SLUG_RULE
  return TAKEN_BY_US.includes(slug) ? 'That link is not free. Please choose another.' : null
}

/** What sub-agents pay unless their agent says something else: 5 percent above the agent's cost, to the nearest ten pesewas. As `offers_under`. */
export function usualSubAgentPesewas(costPesewas: number, lowestPesewas: number): number {
  return Math.max(lowestPesewas, Math.round((costPesewas * 105) / 1000) * 10)
}

/** The most packages in one purchase in a shop, and the most prices that change at once. */
export const MAX_SHOP_ITEMS = 20
export const MAX_SHOP_PRICES = 1_000
