import type { ApiKey } from '../../../shared/api-keys.ts'
import type { KeyRow } from './api-keys.sql.ts'

export function presentKey({ id, createdAt, expiresAt, endedAt, ...key }: KeyRow): ApiKey {
  return {
    ...key,
    _id: id,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    endedAt: endedAt?.toISOString() ?? null,
  }
}
