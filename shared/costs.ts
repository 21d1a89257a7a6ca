import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'
import { positiveCedis } from './fields.ts'
import { offerName } from './products.ts'
import { ROUTES } from './settings.ts'
import { SEES_COSTS } from './staff-rules.ts'

/** The most costs in one request: every package of a large catalogue, at every supplier. */
const MAX_COSTS = 2_000

const supplier = z.enum(ROUTES, { error: 'Choose a supplier from the list, or by hand.' })

/**
 * What a package costs at a supplier, or by hand, in cedis; null when nobody knows. A package without a row has no cost yet.
 * `validFrom` is an ISO time, `setBy` a username.
 */
export const packageCost = z.object({
  productId: z.string(),
  offer: z.string(),
  supplier,
  cost: z.nullable(z.number()),
  validFrom: z.string(),
  setBy: z.nullable(z.string()),
})
export type PackageCost = z.output<typeof packageCost>

const costLine = z.object({
  productId: z.uuid({ error: 'That product does not exist.' }),
  offer: offerName,
  supplier,
  cost: z.nullable(positiveCedis),
})

export const setCostsRequest = z.object({
  costs: z.array(costLine, { error: 'Send the costs as a list.' }).check(
    z.minLength(1, { error: 'Enter at least one cost.' }),
    z.maxLength(MAX_COSTS, { error: `Save at most ${MAX_COSTS.toLocaleString('en')} costs at once.` }),
    z.refine((lines) => new Set(lines.map(({ productId, offer, supplier: at }) => `${productId} ${at} ${offer}`)).size === lines.length, {
      error: 'A package has two costs at the same supplier.',
    }),
  ),
})
export type SetCostsRequest = z.output<typeof setCostsRequest>

const costsReply = z.object({ costs: z.array(packageCost) })

const packageParams = z.object({ productId: z.uuid({ error: 'That product does not exist.' }) })

export const costEndpoints = endpoints({
  'GET /admin/costs': {
    id: 'listCosts',
    tag: 'admin',
    summary: 'What each package costs now, at each supplier and by hand',
    access: SEES_COSTS,
    reply: costsReply,
  },
  'GET /admin/costs/:productId': {
    id: 'listCostHistory',
    tag: 'admin',
    summary: "All costs that a product's packages have had, newest first, at most 500",
    access: SEES_COSTS,
    params: packageParams,
    reply: costsReply,
  },
  'PUT /admin/costs': {
    id: 'setCosts',
    tag: 'admin',
    summary: 'Set costs from now on, all or none; an unchanged cost is not set again',
    access: 'products',
    body: setCostsRequest,
    reply: costsReply,
    errors: ['CONFLICT', 'SECOND_PERSON_NEEDED'],
  },
})
