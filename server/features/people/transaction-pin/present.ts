import type { PinReply } from '../../../../shared/transaction-pin.ts'
import type { PinRow } from './transaction-pin.sql.ts'

export function presentPin(pin: PinRow | null, now: Date): PinReply {
  if (!pin) return { pin: null }
  const { atCheckout, changedAt, lockedUntil } = pin
  const isLocked = lockedUntil !== null && lockedUntil > now
  return { pin: { atCheckout, changedAt: changedAt.toISOString(), lockedUntil: isLocked ? lockedUntil.toISOString() : null } }
}
