import { formatPesewas } from '../../../../shared/money.ts'
import { supplierName } from '../../../../shared/supplier-names.ts'
import { countSeptets, plainWord, SEGMENT_SEPTETS } from '../../../integrations/sms/gsm-text.ts'
import type { AlarmKind } from './floats.sql.ts'
import type { FloatRow } from './queries.ts'

/** What the owner calls a float. */
function nameOf({ key, kind, networks }: Pick<FloatRow, 'key' | 'kind' | 'networks'>): string {
  if (kind === 'sms') return 'SMS'
  return kind === 'by-hand' ? `${networks[0]} portal` : supplierName(key)
}

/**
 * For the owner: a float runs out, is finished, or its supplier does not take orders. One segment.
 * @throws Error for a text that does not fit.
 */
export function composeAlarm(kind: AlarmKind, float: FloatRow, shopName: string): string {
  const shop = plainWord(shopName, 30)
  const name = plainWord(nameOf(float), 24)
  const text = `${shop}: ${said(kind, float, name)}`
  const septets = countSeptets(text)
  if (septets === null || septets > SEGMENT_SEPTETS) throw new Error(`a message of ${septets} septets does not fit one segment: ${text}`)
  return text
}

function said(kind: AlarmKind, { amount, kind: of, hoursLeft, held }: FloatRow, name: string): string {
  const waiting = held.orders === 0 ? '' : ` ${held.orders === 1 ? '1 order is' : `${held.orders} orders are`} waiting.`
  const retry = of === 'supplier' ? ', then press Try now' : ''
  switch (kind) {
    case 'finished':
      return `your ${name} balance is finished.${waiting} Top up${retry}.`
    case 'stopped':
      return `${name} does not take our orders at the moment.${waiting} Look at their portal${retry}.`
    case 'low': {
      const left = of === 'sms' ? `${amount ?? 0} messages` : `GHS ${formatPesewas(amount ?? 0)}`
      return `your ${name} balance, ${left}, lasts about ${hoursAndMinutes(hoursLeft ?? 0)} at today's rate. Please top up.`
    }
  }
}

function hoursAndMinutes(hours: number): string {
  const minutes = Math.max(1, Math.round(hours * 60))
  if (minutes < 60) return minutes === 1 ? '1 minute' : `${minutes} minutes`
  const whole = Math.floor(minutes / 60)
  const rest = minutes % 60
  return `${whole} h${rest === 0 ? '' : ` ${rest} min`}`
}
