import type { Queryable, Tx } from '../../../platform/db.ts'

type Spent = {
  share: number
  /** How long what is left waits. */
  until: Date
  /** With an order: how often it was spent, and what it has bought by now. */
  use?: number
  pricePesewas?: number
  surchargePesewas?: number
  lines?: string
}

/** Notes that a share of what is left of a payment was spent; what it bought makes it paid. */
export async function updateUnspent(tx: Tx, reference: string, { share, until, use, pricePesewas, surchargePesewas, lines }: Spent) {
  await tx.query(
    `update payments set unspent_pesewas = unspent_pesewas - $2, unspent_until = case when unspent_pesewas > $2 then $3::timestamptz end,
       unspent_uses = coalesce($4, unspent_uses), price_pesewas = coalesce($5, price_pesewas), surcharge_pesewas = coalesce($6, surcharge_pesewas),
       lines = coalesce($7::jsonb, lines), status = case when $4::integer is null then status else 'paid' end,
       reason = case when $4::integer is null then reason end
     where reference = $1`,
    [reference, share, until, use ?? null, pricePesewas ?? null, surchargePesewas ?? null, lines ?? null],
  )
}

/** Payments of which something has waited long enough, except for disputed and refunded ones. */
export async function selectDueRests(db: Queryable, now: Date): Promise<string[]> {
  const { rows } = await db.query<{ reference: string }>(
    'select reference from payments where unspent_until <= $1 and hold_reason is null order by unspent_until limit 50',
    [now],
  )
  return rows.map(({ reference }) => reference)
}
