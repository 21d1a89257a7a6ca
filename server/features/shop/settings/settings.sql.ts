import type { Network } from '../../../../shared/networks.ts'
import type { Settings } from '../../../../shared/settings.ts'
import type { SupplierName } from '../../../../shared/suppliers.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

/** As stored: networks missing from `supplierRoutes` are processed by hand. */
export type SettingsRow = Omit<Settings, 'routes'> & { supplierRoutes: Partial<Record<Network, SupplierName>> }

const SETTINGS = `supplier_routes as "supplierRoutes", complete_delivered as "completeDelivered", reject_refused as "rejectRefused",
  operator_sms as "operatorSms", operator_checker_sms as "operatorCheckerSms", operator_phone as "operatorPhone", buyer_sms as "buyerSms", sms_daily_cap as "smsDailyCap",
  sms_digest as "smsDigest", sms_digest_above as "smsDigestAbove", top_up_minimum_pesewas / 100 as "topUpMinimum",
  top_up_maximum_pesewas / 100 as "topUpMaximum", top_up_daily_pesewas / 100 as "topUpDaily", top_up_hold_hours as "topUpHoldHours",
  refunds_to_source as "refundsToSource", margin_line_percent as "marginLinePercent"`

export async function selectSettings(db: Queryable): Promise<SettingsRow> {
  const { rows } = await db.query<SettingsRow>(`select ${SETTINGS} from operations_settings`)
  return rows[0] as SettingsRow
}

/** Who last changed the settings, if among the newest 2,000 admin actions. */
export async function selectLastChange(db: Queryable): Promise<{ by: string; at: Date } | null> {
  const { rows } = await db.query<{ by: string; at: Date }>(
    `select u.username as by, a.created_at as at
     from (select * from admin_actions order by id desc limit 2000) a join users u on u.id = a.actor_id
     where a.action = 'settings.change' order by a.id desc limit 1`,
  )
  return rows[0] ?? null
}

/** The settings, locked until the transaction ends. */
export async function lockSettings(tx: Tx): Promise<SettingsRow> {
  await tx.query('select from operations_settings for update')
  return selectSettings(tx)
}

export async function updateSettings(tx: Tx, row: SettingsRow, now: Date) {
  await tx.query(
    `update operations_settings set supplier_routes = $1, complete_delivered = $2, reject_refused = $3, operator_sms = $4,
       operator_phone = $5, buyer_sms = $6, sms_daily_cap = $7, sms_digest_above = $8, sms_digest = $9, updated_at = $10, top_up_minimum_pesewas = 100 * $11::bigint,
       top_up_maximum_pesewas = 100 * $12::bigint, top_up_daily_pesewas = 100 * $13::bigint, top_up_hold_hours = $14,
       margin_line_percent = $15, refunds_to_source = $16, operator_checker_sms = $17`,
    [
      JSON.stringify(row.supplierRoutes),
      row.completeDelivered,
      row.rejectRefused,
      row.operatorSms,
      row.operatorPhone,
      row.buyerSms,
      row.smsDailyCap,
      row.smsDigestAbove,
      row.smsDigest,
      now,
      row.topUpMinimum,
      row.topUpMaximum,
      row.topUpDaily,
      row.topUpHoldHours,
      row.marginLinePercent,
      row.refundsToSource,
      row.operatorCheckerSms,
    ],
  )
}
