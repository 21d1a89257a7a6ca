import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'

/** The shop's name and contact details, configured by the operator and embedded in the page. */
export const shop = z.object({
  name: z.string(),
  slug: z.string(),
  tagline: z.string(),
  phone: z.string(),
  email: z.string(),
  whatsapp: z.array(z.string()),
  workHours: z.string(),
  copyrightYear: z.number(),
  developerCredit: z.string(),
  mode: z.enum(['sandbox', 'live']),
})
export type Shop = z.output<typeof shop>

export const shopEndpoints = endpoints({
  'GET /shop': { id: 'readShop', tag: 'shop', summary: "The shop's name and contacts", access: 'anyone', reply: shop },
})
