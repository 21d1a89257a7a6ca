import type { BrandName } from '../../../../shared/brands.ts'
import type { PaymentNumber } from '../../../../shared/shop-settings.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

/** What the owner has set; null for what is as the environment says. */
export type ProfileRow = {
  name: string | null
  tagline: string | null
  phone: string | null
  email: string | null
  whatsapp: string[] | null
  workHours: string | null
  brand: BrandName | null
  logoHash: string | null
  iconHash: string | null
  agentFeePesewas: number | null
}

const PROFILE = `name, tagline, phone, email, whatsapp, work_hours as "workHours", brand, logo_hash as "logoHash", icon_hash as "iconHash", agent_fee_pesewas as "agentFeePesewas"`

export async function selectProfile(db: Queryable): Promise<ProfileRow> {
  const { rows } = await db.query<ProfileRow>({ name: 'select-profile', text: `select ${PROFILE} from shop_settings` })
  return rows[0] as ProfileRow
}

/** The profile, locked until the transaction ends. */
export async function lockProfile(tx: Tx): Promise<ProfileRow> {
  await tx.query('select from shop_settings for update')
  return selectProfile(tx)
}

export async function updateProfile(tx: Tx, row: ProfileRow, now: Date) {
  await tx.query(
    `update shop_settings set name = $1, tagline = $2, phone = $3, email = $4, whatsapp = $5, work_hours = $6, brand = $7, logo_hash = $8,
       icon_hash = $9, updated_at = $10, agent_fee_pesewas = $11`,
    [
      row.name,
      row.tagline,
      row.phone,
      row.email,
      row.whatsapp,
      row.workHours,
      row.brand,
      row.logoHash,
      row.iconHash,
      now,
      row.agentFeePesewas,
    ],
  )
}

/** As stored; empty while the shop has one number for all networks. */
export async function selectPaymentNumbers(db: Queryable): Promise<PaymentNumber[]> {
  const { rows } = await db.query<{ numbers: PaymentNumber[] }>('select payment_numbers as numbers from shop_settings')
  return rows[0]?.numbers ?? []
}

/** The first number is also the one that clients of the first version read. */
export async function updatePaymentNumbers(tx: Tx, numbers: PaymentNumber[], now: Date) {
  await tx.query(`update shop_settings set payment_numbers = $1, momo_phone_number = $2, momo_account_name = $3, updated_at = $4`, [
    JSON.stringify(numbers),
    numbers[0]?.phoneNumber,
    numbers[0]?.accountName,
    now,
  ])
}
