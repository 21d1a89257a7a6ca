import { ofUser } from '../../lib/session.ts'
import { createStored } from '../../lib/stored.ts'

const RECEIVERS_KEPT = 8
const NONE: readonly string[] = []

/** Numbers bought for lately on this browser, the newest first. */
export const recentReceivers = ofUser(
  createStored<readonly string[]>(
    'recentReceivers',
    NONE,
    (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  ),
  NONE,
)

export function rememberReceivers(numbers: readonly string[]): void {
  recentReceivers.update((known) => [...new Set([...numbers, ...known])].slice(0, RECEIVERS_KEPT))
}
