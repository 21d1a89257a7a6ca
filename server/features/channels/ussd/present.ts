import type { UssdSettings } from '../../../../shared/ussd.ts'
import type { UssdRow } from './ussd.sql.ts'

export function presentUssd({ gateway, addresses, mostCharacters, secretHash, seenAt, problem, problemAt }: UssdRow): UssdSettings {
  return {
    gateway,
    addresses,
    mostCharacters,
    hasAddress: secretHash !== null,
    seenAt: seenAt?.toISOString() ?? null,
    problem: problem !== null && problemAt ? { message: problem, at: problemAt.toISOString() } : null,
  }
}
