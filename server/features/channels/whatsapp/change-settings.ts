import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { lockWhatsappSettings, updateWhatsappSettings, type WhatsappSettings } from './settings.sql.ts'

type Change = { [K in keyof WhatsappSettings]?: WhatsappSettings[K] | undefined }

/** Changes what is given, and keeps the rest. */
export async function changeSettings(ctx: Ctx, change: Change): Promise<WhatsappSettings> {
  return transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'owner')
    const before = await lockWhatsappSettings(tx)
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const after: WhatsappSettings = { ...before, ...given }
    await updateWhatsappSettings(tx, after)
    await recordAdminAction(tx, ctx, { action: 'whatsapp.change', subject: { type: 'settings', id: 'whatsapp' }, before, after })
    return after
  })
}
