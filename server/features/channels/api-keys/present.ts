import type { ApiKey } from '../../../../shared/api-keys.ts'
import type { KeyRow } from './api-keys.sql.ts'

export function presentKey({ id, replacedBy, createdAt, usedAt, expiresAt, endedAt, ...key }: KeyRow): ApiKey {
  return {
    ...key,
    _id: id,
    isReplaced: replacedBy !== null,
    createdAt: createdAt.toISOString(),
    usedAt: usedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
  }
}
