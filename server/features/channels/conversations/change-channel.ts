import type { ChannelName } from '../../../../shared/channel-rules.ts'
import type { ChannelRules } from '../../../../shared/channels.ts'
import { toPesewas } from '../../../../shared/money.ts'
import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { Invalid } from '../../../platform/errors.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { selectChannel, updateChannel } from './customers.sql.ts'
import { presentChannel } from './present.ts'

type Change = { channel: ChannelName; onByDefault: boolean; change: { [K in keyof ChannelRules]?: ChannelRules[K] | undefined } }

/**
 * Changes what is given and keeps the rest.
 * @throws Invalid for an order's limit above the day's.
 */
export async function changeChannel(ctx: Ctx, { channel, onByDefault, change }: Change): Promise<ChannelRules> {
  return transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'owner')
    const row = await selectChannel(tx, channel, 'for update')
    const before = presentChannel(row, onByDefault)
    const { isOn, mostPerOrder = before.mostPerOrder, mostPerDay = before.mostPerDay } = change
    if (mostPerOrder > mostPerDay) throw new Invalid([{ path: 'mostPerDay', message: 'A day allows at least as much as one order.' }])
    const changed = { isOn: isOn ?? row.isOn, mostPerOrderPesewas: toPesewas(mostPerOrder), mostPerDayPesewas: toPesewas(mostPerDay) }
    await updateChannel(tx, channel, changed)
    const after = presentChannel(changed, onByDefault)
    await recordAdminAction(tx, ctx, { action: 'channel.change', subject: { type: 'settings', id: channel }, before, after })
    return after
  })
}
