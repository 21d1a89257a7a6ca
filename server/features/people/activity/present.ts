import type { AdminAction } from '../../../../shared/admin-actions.ts'
import { toCedis } from '../../../../shared/money.ts'
import type { AdminActionRow } from './activity.sql.ts'

const IN_PESEWAS = /Pesewas$/

export function presentAdminAction(row: AdminActionRow): AdminAction {
  return {
    _id: String(row.id),
    actor: row.actor,
    action: row.action,
    subjectType: row.subjectType,
    subjectId: row.subjectId,
    subject: row.subject,
    before: inCedis(row.before),
    after: inCedis(row.after),
    note: row.note,
    ip: row.ip,
    createdAt: row.createdAt.toISOString(),
  }
}

/** Facts are stored in pesewas under a name ending in "Pesewas"; on the wire they are cedis under the plain name. */
function inCedis(facts: Record<string, unknown> | null): Record<string, unknown> | null {
  return facts && Object.fromEntries(Object.entries(facts).map(([name, value]) => convert(name, value)))
}

function convert(name: string, value: unknown): [string, unknown] {
  if (IN_PESEWAS.test(name) && typeof value === 'number') return [name.replace(IN_PESEWAS, ''), toCedis(value)]
  if (Array.isArray(value)) return [name, value.map((entry) => (isFacts(entry) ? inCedis(entry) : entry))]
  return [name, value]
}

function isFacts(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
