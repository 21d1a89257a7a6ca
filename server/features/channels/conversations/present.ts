import type { ChannelRules } from '../../../../shared/channels.ts'
import { toCedis } from '../../../../shared/money.ts'
import type { ChannelRow } from './customers.sql.ts'

export function presentChannel({ isOn, mostPerOrderPesewas, mostPerDayPesewas }: ChannelRow, onByDefault: boolean): ChannelRules {
  return { isOn: isOn ?? onByDefault, mostPerOrder: toCedis(mostPerOrderPesewas), mostPerDay: toCedis(mostPerDayPesewas) }
}
