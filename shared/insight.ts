import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'
import { NETWORKS } from './networks.ts'
import { ROUTES } from './settings.ts'
import { SEES_FINANCE } from './staff-rules.ts'

/** The longest range: a quarter. */
const MOST_INSIGHT_DAYS = 92

const DAY = 'Choose a day, like 2026-11-22.'
const day = z.string().check(
  z.regex(/^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, { error: DAY }),
  z.refine((text) => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text), { error: DAY }),
)

/** Days in Ghana's time, which is UTC, both included. At most one of `agent` and `offer`; an offer goes with its network. */
export const insightQuery = z
  .object({
    from: day,
    to: day,
    network: z.optional(z.enum(NETWORKS, { error: 'Choose a network.' })),
    supplier: z.optional(z.enum(ROUTES, { error: 'Choose a supplier, or by hand.' })),
    agent: z.optional(z.uuid({ error: 'That agent does not exist.' })),
    offer: z.optional(z.string().check(z.minLength(1, 'Choose a package.'), z.maxLength(100, 'Choose a package.'))),
  })
  .check(
    z.refine(({ from, to }) => from <= to, { error: 'The range ends before it begins.', path: ['to'] }),
    z.refine(({ from, to }) => (Date.parse(to) - Date.parse(from)) / 86_400_000 < MOST_INSIGHT_DAYS, {
      error: `Choose at most ${MOST_INSIGHT_DAYS} days.`,
      path: ['to'],
    }),
    z.refine(({ agent, offer }) => agent === undefined || offer === undefined, {
      error: 'Choose an agent or a package, not both.',
      path: ['offer'],
    }),
    z.refine(({ offer, network }) => offer === undefined || network !== undefined, {
      error: 'Choose the package’s network.',
      path: ['network'],
    }),
  )
export type InsightQuery = z.output<typeof insightQuery>

/**
 * Delivered orders, by the time of their delivery; what was refunded afterwards is taken off the sales when it was. `grossProfit` is sales less cost. It
 * counts only orders whose cost is known, `uncosted` how many are not in it. Amounts in cedis.
 */
const figures = z.object({ orders: z.number(), sales: z.number(), grossProfit: z.number(), uncosted: z.number() })
/** `profit` is the gross profit with the fees and losses of the whole shop, as in Day close; null for a part of it, such as a network or an agent. */
const whole = z.extend(figures, { profit: z.nullable(z.number()) })
export type InsightFigures = z.output<typeof figures>

const median = z.object({ orders: z.number(), medianMinutes: z.number(), nineOfTenMinutes: z.number() })

export const insightReply = z.object({
  /** When it was read (ISO time), and since when deliveries are counted; null before the first. */
  readAt: z.string(),
  countedSince: z.nullable(z.string()),
  /** `refunded` orders, and what an order cost its buyer on average, refunded or not; null where that is not kept. */
  totals: z.extend(whole, { refunded: z.nullable(z.number()), averagePrice: z.nullable(z.number()) }),
  /** The range before it, up to the same moment of it: last week for a week, the same day a week ago for a day. */
  before: z.extend(figures, { from: z.string(), to: z.string() }),
  /** Every day of the range, with the day before it that it is compared with. */
  days: z.array(z.extend(whole, { date: z.string(), before: figures, medianMinutes: z.nullable(z.number()) })),
  /** By the hour of the day (UTC); null with an agent or a package, which are kept by the day. */
  hours: z.nullable(z.array(z.extend(figures, { hour: z.number(), medianMinutes: z.nullable(z.number()) }))),
  networks: z.array(z.extend(figures, { network: z.enum(NETWORKS) })),
  suppliers: z.array(z.extend(figures, { supplier: z.string() })),
  /** The twelve that sold most; null with an agent. */
  packages: z.nullable(z.array(z.extend(figures, { network: z.enum(NETWORKS), offer: z.string() }))),
  /** The twelve who bought most; null with a package. */
  agents: z.nullable(z.array(z.extend(figures, { id: z.string(), username: z.string() }))),
  /** From payment to delivery; without the longest steps no minute is off. Null with an agent or a package. */
  times: z.nullable(z.array(z.extend(median, { network: z.enum(NETWORKS), supplier: z.string() }))),
  /** Who bought every week and has not for a week, by how much they used to buy. */
  lapsed: z.array(
    z.object({
      id: z.string(),
      username: z.string(),
      phone: z.string(),
      level: z.string(),
      weeklyOrders: z.number(),
      lastOrderAt: z.string(),
    }),
  ),
  /** What takes longest: deliveries by the hour, top-ups by the hour, answers to reports. */
  slow: z.array(
    z.object({
      what: z.enum(['delivery', 'top-up', 'report']),
      network: z.nullable(z.enum(NETWORKS)),
      supplier: z.nullable(z.string()),
      hour: z.nullable(z.number()),
      medianMinutes: z.number(),
    }),
  ),
})
export type InsightReply = z.output<typeof insightReply>

export const insightEndpoints = endpoints({
  'GET /admin/insight': {
    id: 'readInsight',
    tag: 'stats',
    summary: 'Sales, profit and delivery times of a range of days, and who stopped buying',
    access: SEES_FINANCE,
    query: insightQuery,
    reply: insightReply,
  },
})
