import type { UserLevel } from '../../../shared/users.ts'
import { Forbidden } from '../../platform/errors.ts'

/** @throws Forbidden for whoever is no agent. */
export function refuseCustomer({ level }: { level: UserLevel }): void {
  if (level === 'Customer') throw new Forbidden('Only agents have a shop. Become an agent first.')
}
