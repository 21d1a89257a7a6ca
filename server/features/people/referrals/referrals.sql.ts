import type { Queryable, Tx } from '../../../platform/db.ts'
import type { Page } from '../../../platform/http/lists.ts'

/** What the owner set for referrals. */
export type Rules = { enabled: boolean; rewardPesewas: number; spendPesewas: number; mostAMonth: number; leaderboard: boolean }

const RULES = `enabled, reward_pesewas as "rewardPesewas", spend_pesewas as "spendPesewas", most_a_month as "mostAMonth", leaderboard`

export async function selectRules(db: Queryable): Promise<Rules> {
  const { rows } = await db.query<Rules>({ name: 'referral-rules', text: `select ${RULES} from referral_rules` })
  return rows[0] as Rules
}

export async function lockRules(tx: Tx): Promise<Rules> {
  const { rows } = await tx.query<Rules>(`select ${RULES} from referral_rules for update`)
  return rows[0] as Rules
}

export async function updateRules(tx: Tx, rules: Rules) {
  await tx.query('update referral_rules set enabled = $1, reward_pesewas = $2, spend_pesewas = $3, most_a_month = $4, leaderboard = $5', [
    rules.enabled,
    rules.rewardPesewas,
    rules.spendPesewas,
    rules.mostAMonth,
    rules.leaderboard,
  ])
}

export async function selectCode(db: Queryable, userId: string): Promise<string | null> {
  const { rows } = await db.query<{ code: string }>('select code from referral_links where user_id = $1', [userId])
  return rows[0]?.code ?? null
}

/** False when the code is somebody else's; a user who has one keeps it. */
export async function insertCode(tx: Tx, userId: string, code: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(`insert into referral_links (user_id, code, created_at) values ($1, $2, $3) on conflict do nothing`, [
    userId,
    code,
    now,
  ])
  return rowCount === 1
}

/** The numbers that the agent's earnings were sent to, and the agent's own. */
const NUMBERS_OF = (agent: string) => `(select phone from users where id = ${agent} union
  select w.phone from withdrawals w join agent_shops a on a.id = w.shop_id where a.owner_id = ${agent})`

/**
 * Notes who invited a customer, with today's rules; nothing where referrals are off, or the link is of nobody who is an agent now. It has
 * ended at once where the two look like one person: the same browser, the number that the agent's earnings go to, or, without `counts`, one of many
 * from one address.
 */
export async function insertReferral(
  tx: Tx,
  {
    referredId,
    code,
    deviceHash,
    counts,
    now,
  }: { referredId: string; code: string; deviceHash: Buffer | null; counts: boolean; now: Date },
) {
  await tx.query(
    `insert into referrals (referred_id, referrer_id, reward_pesewas, spend_pesewas, created_at, check_at)
     select $1, u.id, r.reward_pesewas, r.spend_pesewas, $3, case when $5 and not (
         exists (select from known_devices d where d.device_hash = $4 and d.user_id = u.id)
         or (select phone from users where id = $1) in ${NUMBERS_OF('u.id')}
       ) then $3::timestamptz end
     from referral_rules r, referral_links l join users u on u.id = l.user_id
     where r.enabled and l.code = $2 and u.level = 'Agent' and u.status = 'Active'`,
    [referredId, code, now, deviceHash, counts],
  )
}

export type Sums = { invited: number; rewarded: number; earnedPesewas: number }

export async function selectSums(db: Queryable, referrerId: string): Promise<Sums> {
  const { rows } = await db.query<Sums>(
    `select count(*)::integer as invited, count(rewarded_at)::integer as rewarded,
       coalesce(sum(reward_pesewas) filter (where rewarded_at is not null), 0)::bigint as "earnedPesewas"
     from referrals where referrer_id = $1`,
    [referrerId],
  )
  return rows[0] as Sums
}

export type InvitedRow = {
  username: string
  deliveredPesewas: number
  spendPesewas: number
  rewardPesewas: number
  createdAt: Date
  checkAt: Date | null
  rewardedAt: Date | null
}

/** Newest first. */
export async function selectInvited(db: Queryable, referrerId: string, { limit, offset }: Page): Promise<InvitedRow[]> {
  const { rows } = await db.query<InvitedRow>(
    `select u.username, r.delivered_pesewas as "deliveredPesewas", r.spend_pesewas as "spendPesewas", r.reward_pesewas as "rewardPesewas",
       r.created_at as "createdAt", r.check_at as "checkAt", r.rewarded_at as "rewardedAt"
     from referrals r join users u on u.id = r.referred_id
     where r.referrer_id = $1 order by r.created_at desc, r.referred_id limit $2 offset $3`,
    [referrerId, limit, offset],
  )
  return rows
}

/** What was paid for referrals so far, and how many are still open. */
export async function selectPaid(db: Queryable): Promise<{ rewards: number; pesewas: number; open: number }> {
  const { rows } = await db.query<{ rewards: number; pesewas: number; open: number }>(
    `select (select count(*)::integer from referrals where rewarded_at is not null) as rewards,
       (select coalesce(sum(reward_pesewas), 0)::bigint from referrals where rewarded_at is not null) as pesewas,
       (select count(*)::integer from referrals where check_at is not null) as open`,
  )
  return rows[0] as { rewards: number; pesewas: number; open: number }
}

/** The rewards to look at again, because something that their customers paid for went back. */
export async function selectToRecheck(db: Queryable, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select referred_id as id from referrals where recheck_at is not null order by recheck_at, referred_id limit $1',
    [limit],
  )
  return rows.map(({ id }) => id)
}

export type RewardedRow = { referrerId: string; rewardPesewas: number; spendPesewas: number; undone: number }

/** A reward to look at again, locked; null when another process has it. */
export async function lockRewarded(tx: Tx, referredId: string): Promise<RewardedRow | null> {
  const { rows } = await tx.query<RewardedRow>(
    `select referrer_id as "referrerId", reward_pesewas as "rewardPesewas", spend_pesewas as "spendPesewas", undone
     from referrals where referred_id = $1 and recheck_at is not null and rewarded_at is not null for update skip locked`,
    [referredId],
  )
  return rows[0] ?? null
}

/** What the owner of a wallet owes, in pesewas; call it with the wallet locked. */
export async function selectDebt(tx: Tx, accountId: number): Promise<number> {
  const { rows } = await tx.query<{ pesewas: number }>('select debt_pesewas as pesewas from wallets where account_id = $1', [accountId])
  return rows[0]?.pesewas ?? 0
}

export async function changeDebt(tx: Tx, accountId: number, pesewas: number) {
  await tx.query('update wallets set debt_pesewas = debt_pesewas + $2 where account_id = $1', [accountId, pesewas])
}

export async function endRecheck(tx: Tx, referredId: string) {
  await tx.query('update referrals set recheck_at = null where referred_id = $1', [referredId])
}

/** The reward was taken back, and may be earned again. */
export async function markUndone(tx: Tx, referredId: string, { deliveredPesewas, checkAt }: { deliveredPesewas: number; checkAt: Date }) {
  await tx.query(
    'update referrals set rewarded_at = null, recheck_at = null, undone = undone + 1, delivered_pesewas = $2, check_at = $3 where referred_id = $1',
    [referredId, deliveredPesewas, checkAt],
  )
}

/** The referrals to look at now, those that wait longest first. */
export async function selectDue(db: Queryable, now: Date, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select referred_id as id from referrals where check_at <= $1 order by check_at, referred_id limit $2',
    [now, limit],
  )
  return rows.map(({ id }) => id)
}

export type DueRow = {
  referrerId: string
  rewardPesewas: number
  spendPesewas: number
  undone: number
  createdAt: Date
  isAgent: boolean
  isSamePerson: boolean
}

/** A referral to look at, locked with its agent's link, so that one agent's rewards come one after the other; null when another process has it. */
export async function lockDue(tx: Tx, referredId: string, now: Date): Promise<DueRow | null> {
  const { rows } = await tx.query<DueRow>(
    `select r.referrer_id as "referrerId", r.reward_pesewas as "rewardPesewas", r.spend_pesewas as "spendPesewas", r.undone, r.created_at as "createdAt",
       u.level = 'Agent' and u.status = 'Active' as "isAgent", (select phone from users where id = $1) in ${NUMBERS_OF('u.id')} as "isSamePerson"
     from referrals r join users u on u.id = r.referrer_id join referral_links l on l.user_id = r.referrer_id
     where r.referred_id = $1 and r.check_at <= $2 for share of u for update of r, l skip locked`,
    [referredId, now],
  )
  return rows[0] ?? null
}

/**
 * What a customer bought that was delivered up to a time and not refunded: of their newest 1,000 such orders, in pesewas. What went to the
 * agent's own numbers does not count, nor what of the customer's payments went back to them and is not made good.
 */
export async function selectDelivered(
  db: Queryable,
  { userId, agentId, until }: { userId: string; agentId: string; until: Date },
): Promise<number> {
  const { rows } = await db.query<{ pesewas: number }>(
    `select greatest(0, coalesce(sum(price_pesewas), 0) - (select coalesce(sum(loss_pesewas), 0) from payments where user_id = $1))::bigint as pesewas from (
       select price_pesewas from orders where user_id = $1 and status = 'completed' and completed_at <= $2
         and receiver not in ${NUMBERS_OF('$3')} order by seq desc limit 1000
     ) delivered`,
    [userId, until, agentId],
  )
  return rows[0]?.pesewas ?? 0
}

export async function countRewards(tx: Tx, referrerId: string, since: Date): Promise<number> {
  const { rows } = await tx.query<{ total: number }>(
    'select count(*)::integer as total from referrals where referrer_id = $1 and rewarded_at >= $2',
    [referrerId, since],
  )
  return rows[0]?.total ?? 0
}

export async function updateReferral(
  tx: Tx,
  referredId: string,
  { deliveredPesewas, checkAt, rewardedAt }: { deliveredPesewas: number; checkAt: Date | null; rewardedAt: Date | null },
) {
  await tx.query('update referrals set delivered_pesewas = $2, check_at = $3, rewarded_at = $4 where referred_id = $1', [
    referredId,
    deliveredPesewas,
    checkAt,
    rewardedAt,
  ])
}

export type LeaderRow = { userId: string; username: string; orders: number; rank: number }

/** The agents with the most delivered orders since a day, up to `limit`, and the one asking, wherever they stand. */
export async function selectLeaders(db: Queryable, since: string, userId: string, limit: number): Promise<LeaderRow[]> {
  const { rows } = await db.query<LeaderRow>(
    `select u.id as "userId", u.username, ranked.orders::integer as orders, ranked.rank::integer as rank from (
       select agent_id, sum(orders) as orders, row_number() over (order by sum(orders) desc, agent_id) as rank
       from delivery_counts where day >= $1 and agent_id is not null group by agent_id having sum(orders) > 0
     ) ranked join users u on u.id = ranked.agent_id
     where ranked.rank <= $3 or ranked.agent_id = $2 order by ranked.rank`,
    [since, userId, limit],
  )
  return rows
}
