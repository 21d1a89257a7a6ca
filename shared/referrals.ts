import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'
import { cedis, positiveCedis } from './fields.ts'
import { pageQuery } from './lists.ts'

/** For how long an invited customer may take until they count. */
export const REFERRAL_MONTHS = 6

/** The owner's rules, in cedis: an agent gets `reward` once a customer they invited was delivered orders of `spend`. */
const rules = z.object({
  enabled: z.boolean({ error: 'Say yes or no: enabled.' }),
  reward: positiveCedis.check(z.refine((value) => value <= 100, { error: 'Enter a reward of at most 100 cedis.' })),
  spend: cedis.check(z.refine((value) => value >= 1 && value <= 10_000, { error: 'Enter 1 to 10,000 cedis.' })),
  mostAMonth: z
    .number({ error: 'Enter a number of rewards.' })
    .check(z.refine((most) => Number.isInteger(most) && most >= 1 && most <= 1000, { error: 'Enter 1 to 1,000 rewards.' })),
  leaderboard: z.boolean({ error: 'Say yes or no: leaderboard.' }),
})
export type ReferralRules = z.output<typeof rules>

/** `code` is null before the agent has asked for a link; `earned` in cedis. */
const summary = z.object({
  rules,
  code: z.nullable(z.string()),
  invited: z.number(),
  rewarded: z.number(),
  earned: z.number(),
})
export type ReferralSummary = z.output<typeof summary>

/** An invited customer by the first letters of their name; `delivered` of `spend` cedis so far. */
const referral = z.object({
  name: z.string(),
  status: z.enum(['open', 'rewarded', 'ended']),
  delivered: z.number(),
  spend: z.number(),
  reward: z.number(),
  createdAt: z.string(),
})
export type Referral = z.output<typeof referral>

/** The agents with the most delivered orders of the week, by the first letters of their names. `rank` starts at 1. */
const leaderboard = z.object({
  since: z.string(),
  rows: z.array(z.object({ rank: z.number(), name: z.string(), orders: z.number(), isOwn: z.boolean() })),
})
export type Leaderboard = z.output<typeof leaderboard>

export const referralEndpoints = endpoints({
  'GET /referrals': {
    id: 'readReferrals',
    tag: 'referrals',
    summary: 'The own referral link, what it has brought, and the rules',
    access: 'signed-in',
    reply: summary,
  },
  'POST /referrals/link': {
    id: 'makeReferralLink',
    tag: 'referrals',
    summary: 'Get the own referral link; the same one each time',
    access: 'signed-in',
    reply: summary,
    errors: ['FORBIDDEN'],
  },
  'GET /referrals/invited': {
    id: 'listReferrals',
    tag: 'referrals',
    summary: 'Customers who registered with the own link, newest first',
    access: 'signed-in',
    query: pageQuery,
    reply: z.array(referral),
    list: true,
  },
  'GET /referrals/leaderboard': {
    id: 'readLeaderboard',
    tag: 'referrals',
    summary: 'The agents with the most delivered orders of this week, where the owner shows it',
    access: 'signed-in',
    reply: z.object({ leaderboard: z.nullable(leaderboard) }),
    errors: ['FORBIDDEN'],
  },
  'GET /referrals/rules': {
    id: 'readReferralRules',
    tag: 'referrals',
    summary: 'The rules for referrals, and what was paid for them',
    access: 'finance',
    reply: z.object({ rules, paid: z.object({ rewards: z.number(), amount: z.number() }), open: z.number() }),
  },
  'PUT /referrals/rules': {
    id: 'changeReferralRules',
    tag: 'referrals',
    summary: 'Change the rules for referrals; customers who registered before keep theirs',
    access: 'owner',
    body: z.partial(rules),
    reply: rules,
  },
})
