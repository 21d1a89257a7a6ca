import type { Queryable, Tx } from '../../../platform/db.ts'

/** What the owner set for withdrawals; `unapprovedPesewas` is for a day. */
export type Rules = {
  enabled: boolean
  minimumPesewas: number
  feePesewas: number
  unapprovedPesewas: number
  holdNights: number
  byHand: boolean
  numberHoldHours: number
}

const RULES = `enabled, minimum_pesewas as "minimumPesewas", fee_pesewas as "feePesewas", unapproved_pesewas as "unapprovedPesewas",
  hold_nights as "holdNights", by_hand as "byHand", number_hold_hours as "numberHoldHours"`

export async function selectRules(db: Queryable): Promise<Rules> {
  const { rows } = await db.query<Rules>({ name: 'withdrawal-rules', text: `select ${RULES} from withdrawal_rules` })
  return rows[0] as Rules
}

export async function lockRules(tx: Tx): Promise<Rules> {
  const { rows } = await tx.query<Rules>(`select ${RULES} from withdrawal_rules for update`)
  return rows[0] as Rules
}

export async function updateRules(tx: Tx, rules: Rules) {
  await tx.query(
    `update withdrawal_rules set enabled = $1, minimum_pesewas = $2, fee_pesewas = $3, unapproved_pesewas = $4, hold_nights = $5, by_hand = $6,
       number_hold_hours = $7`,
    [rules.enabled, rules.minimumPesewas, rules.feePesewas, rules.unapprovedPesewas, rules.holdNights, rules.byHand, rules.numberHoldHours],
  )
}
