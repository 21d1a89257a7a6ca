import type { FloatSettingsRequest } from '../../../../shared/floats.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { announceFloats } from './events.ts'
import { lockFloatSettings, updateFloatSettings } from './floats.sql.ts'

/** Changes when the owner is told that a float runs out, or how one is topped up; an empty text takes it away. */
export async function changeFloatSettings(ctx: Ctx, { alarmHours, howToTopUp }: FloatSettingsRequest): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'finance')
    const before = await lockFloatSettings(tx)
    const texts = howToTopUp ? { ...before.howToTopUp, [howToTopUp.key]: howToTopUp.text } : before.howToTopUp
    const kept = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
    const after = { alarmHours: alarmHours ?? before.alarmHours, howToTopUp: kept }
    await updateFloatSettings(tx, after)
    await recordAdminAction(tx, ctx, { action: 'supplier.settings', subject: { type: 'settings', id: 'suppliers' }, before, after })
  })
  announceFloats(ctx)
}
