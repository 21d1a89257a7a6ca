import type { WalletNetwork } from '../../../../shared/forwarders.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import type { NewPayment } from '../received-payments/received-payments.sql.ts'

export type MomoWalletRow = {
  forwarderId: string
  network: WalletNetwork
  balancePesewas: number | null
  confirmedAt: Date | null
  waiting: number
  waitingSince: Date | null
  newestPesewas: number | null
}

/** The wallets of all phones, with the messages that don't follow from their balance. */
export async function selectMomoWallets(db: Queryable): Promise<MomoWalletRow[]> {
  const { rows } = await db.query<MomoWalletRow>(
    `select w.forwarder_id as "forwarderId", w.network, w.balance_pesewas as "balancePesewas", w.confirmed_at as "confirmedAt",
       m.waiting, m.since as "waitingSince",
       (select closing_pesewas from wallet_movements n where n.forwarder_id = w.forwarder_id and n.network = w.network
        order by seq desc limit 1) as "newestPesewas"
     from momo_wallets w join forwarders f on f.id = w.forwarder_id and f.ended_at is null, lateral (
       select count(*) as waiting, min(read_at) as since from wallet_movements m
       where m.forwarder_id = w.forwarder_id and m.network = w.network and m.proven_at is null and m.left_out_at is null) m
     order by w.forwarder_id, w.network`,
  )
  return rows
}

/** The proven balance in pesewas; null until the owner has confirmed one. */
export async function selectBalance(tx: Tx, forwarderId: string, network: WalletNetwork): Promise<number | null> {
  const { rows } = await tx.query<{ balance: number | null }>(
    'select balance_pesewas as balance from momo_wallets where forwarder_id = $1 and network = $2',
    [forwarderId, network],
  )
  return rows[0]?.balance ?? null
}

/** Nothing is proven any more before the owner confirms a balance. */
export async function forgetBalance(tx: Tx, forwarderId: string, network: WalletNetwork) {
  await tx.query(
    'update momo_wallets set balance_pesewas = null, confirmed_by = null, confirmed_at = null where forwarder_id = $1 and network = $2',
    [forwarderId, network],
  )
}

export async function updateBalance(tx: Tx, forwarderId: string, network: WalletNetwork, pesewas: number) {
  await tx.query('update momo_wallets set balance_pesewas = $3 where forwarder_id = $1 and network = $2', [forwarderId, network, pesewas])
}

/** False when the phone has no such wallet. */
export async function updateConfirmed(
  tx: Tx,
  { forwarderId, network, pesewas, by, now }: { forwarderId: string; network: WalletNetwork; pesewas: number; by: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update momo_wallets set balance_pesewas = $3, confirmed_by = $4, confirmed_at = $5 where forwarder_id = $1 and network = $2',
    [forwarderId, network, pesewas, by, now],
  )
  return rowCount === 1
}

export type NewMovement = {
  forwarderId: string
  network: WalletNetwork
  textHash: Buffer
  openingPesewas: number
  closingPesewas: number
  paymentId: string | null
  facts: NewPayment | null
  now: Date
}

/** False, and nothing added, for a message that was read before, also one that says the same of a payment in other words. */
export async function insertMovement(tx: Tx, made: NewMovement): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into wallet_movements (forwarder_id, network, text_hash, opening_pesewas, closing_pesewas, payment_id, facts, read_at)
     select $1, $2, $3, $4, $5, $6, $7, $8 where not exists (select from wallet_movements
       where payment_id = $6 and (forwarder_id, network, opening_pesewas, closing_pesewas) = ($1, $2, $4, $5))
     on conflict do nothing`,
    [
      made.forwarderId,
      made.network,
      made.textHash,
      made.openingPesewas,
      made.closingPesewas,
      made.paymentId,
      made.facts && JSON.stringify(made.facts),
      made.now,
    ],
  )
  return rowCount === 1
}

export type WaitingMovement = {
  seq: number
  openingPesewas: number
  closingPesewas: number
  paymentId: string | null
  facts: NewPayment | null
}

/** The most movements that are placed at once; behind a gap older than these the owner confirms a balance. */
const MOST_WAITING = 2_000

export async function selectWaitingMovements(tx: Tx, forwarderId: string, network: WalletNetwork): Promise<WaitingMovement[]> {
  const { rows } = await tx.query<WaitingMovement>(
    `select seq, opening_pesewas as "openingPesewas", closing_pesewas as "closingPesewas", payment_id as "paymentId", facts
     from wallet_movements where forwarder_id = $1 and network = $2 and proven_at is null and left_out_at is null
     order by seq desc limit ${MOST_WAITING}`,
    [forwarderId, network],
  )
  return rows.reverse()
}

export async function updateMovementsProven(tx: Tx, seqs: readonly number[], now: Date) {
  await tx.query('update wallet_movements set proven_at = $2, facts = null where seq = any ($1)', [seqs, now])
}

/** What is still waiting leads nowhere: the owner has confirmed another balance. */
export async function updateMovementsLeftOut(tx: Tx, forwarderId: string, network: WalletNetwork, now: Date) {
  await tx.query(
    `update wallet_movements set left_out_at = $3, facts = null
     where forwarder_id = $1 and network = $2 and proven_at is null and left_out_at is null`,
    [forwarderId, network, now],
  )
}

/**
 * What was read only now, of payments that came before the owner confirmed the balance, proves nothing: whether it is in that balance
 * nobody can tell.
 */
export async function updateEarlierLeftOut(tx: Tx, now: Date) {
  await tx.query(
    `update wallet_movements m set left_out_at = $1, facts = null from received_payments p, momo_wallets w
     where p.id = m.payment_id and w.forwarder_id = m.forwarder_id and w.network = m.network and m.read_at = $1
       and m.proven_at is null and m.left_out_at is null and p.received_at < w.confirmed_at`,
    [now],
  )
}

/** How many messages of a phone say in other words, or with another balance, that a payment came, and how many of these are proven. */
export async function countTold(tx: Tx, paymentId: string, forwarderId: string): Promise<{ all: number; proven: number }> {
  const { rows } = await tx.query<{ all: number; proven: number }>(
    `select count(*) as all, count(proven_at) as proven from wallet_movements where payment_id = $1 and forwarder_id = $2`,
    [paymentId, forwarderId],
  )
  return rows[0] as { all: number; proven: number }
}

const MOST_QUESTIONED = 50

/**
 * The payments of the last proven movement that begins at this balance, if it ends at the other or was proven since then, and of
 * those that were proven after it. One that is no payment is null.
 */
export async function selectProvenSince(
  tx: Tx,
  {
    forwarderId,
    network,
    openingPesewas,
    closingPesewas,
  }: Pick<NewMovement, 'forwarderId' | 'network' | 'openingPesewas' | 'closingPesewas'>,
  since: Date,
): Promise<(string | null)[]> {
  const { rows } = await tx.query<{ paymentId: string | null }>(
    `with first as (
       select seq, proven_at from wallet_movements
       where forwarder_id = $1 and network = $2 and opening_pesewas = $3 and proven_at is not null and (closing_pesewas = $4 or proven_at > $5)
       order by proven_at desc, seq desc limit 1
     )
     select m.payment_id as "paymentId" from first f, wallet_movements m
     where m.forwarder_id = $1 and m.network = $2 and m.seq >= f.seq - ${MOST_WAITING} and (m.proven_at, m.seq) >= (f.proven_at, f.seq)
     order by m.proven_at, m.seq limit ${MOST_QUESTIONED}`,
    [forwarderId, network, openingPesewas, closingPesewas, since],
  )
  return rows.map(({ paymentId }) => paymentId)
}
