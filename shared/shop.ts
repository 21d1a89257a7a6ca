import * as z from 'zod/mini'
import { BRAND_NAMES } from './brands.ts'
import { endpoints } from './endpoint.ts'

/** `days` of the week from 0, Sunday; `opens` and `closes` in minutes of the day; `closesAt` as the operator writes it. */
const hours = z.object({ days: z.array(z.number()), opens: z.number(), closes: z.number(), closesAt: z.string() })

/**
 * The shop's name and contact details, configured by the operator and embedded in the page. `hours` are the work hours where
 * they could be read, and otherwise null.
 */
export const shop = z.object({
  name: z.string(),
  slug: z.string(),
  tagline: z.string(),
  phone: z.string(),
  email: z.string(),
  whatsapp: z.array(z.string()),
  /** The code that customers dial to buy by USSD, where the shop has one. */
  ussdCode: z.optional(z.string()),
  workHours: z.string(),
  hours: z.nullable(hours),
  copyrightYear: z.number(),
  developerCredit: z.string(),
  mode: z.enum(['sandbox', 'live']),
  /** The shop can send no SMS at all, so nobody is promised one. Left out where it can. */
  noSms: z.optional(z.literal(true)),
  /** The owner's own: addresses of the logo, small and large, and a colour of `BRANDS`. Left out where it is as usual. */
  logo: z.optional(z.string()),
  icon: z.optional(z.string()),
  brand: z.optional(z.enum(BRAND_NAMES)),
  /** What becoming an agent costs, in cedis, where it is not the usual 50. */
  agentFee: z.optional(z.number()),
  /** Only in the pages at an agent's own host name: the slug of the shop that is all there is. */
  agentShop: z.optional(z.string()),
})
export type Shop = z.output<typeof shop>

export const shopEndpoints = endpoints({
  'GET /shop': { id: 'readShop', tag: 'shop', summary: "The shop's name and contacts", access: 'anyone', reply: shop },
})
