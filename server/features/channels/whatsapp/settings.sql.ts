import type { AdminWhatsapp } from '../../../../shared/whatsapp.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

export type WhatsappSettings = AdminWhatsapp['settings']

const SETTINGS = `select daily_cap as "dailyCap", template, template_language as "templateLanguage" from whatsapp_settings`

export async function selectWhatsappSettings(db: Queryable): Promise<WhatsappSettings> {
  const { rows } = await db.query<WhatsappSettings>(SETTINGS)
  return rows[0] as WhatsappSettings
}

export async function lockWhatsappSettings(tx: Tx): Promise<WhatsappSettings> {
  const { rows } = await tx.query<WhatsappSettings>(`${SETTINGS} for update`)
  return rows[0] as WhatsappSettings
}

export async function updateWhatsappSettings(tx: Tx, { dailyCap, template, templateLanguage }: WhatsappSettings) {
  await tx.query('update whatsapp_settings set daily_cap = $1, template = $2, template_language = $3', [
    dailyCap,
    template,
    templateLanguage,
  ])
}
