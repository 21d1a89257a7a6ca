import { toCedis } from '../../../../shared/money.ts'
import type { StaffReply } from '../../../../shared/staff.ts'
import type { Ctx } from '../../../platform/context.ts'
import { selectStaffRules } from '../second-factor/staff-rules.sql.ts'
import { selectStaff } from './staff.sql.ts'

/** A session's last use is noted every five minutes. */
const HERE_MS = 10 * 60_000

export async function readStaff(ctx: Pick<Ctx, 'db' | 'now'>): Promise<StaffReply> {
  const [people, rules] = await Promise.all([selectStaff(ctx.db, ctx.now), selectStaffRules(ctx.db)])
  const cedisOrNull = (pesewas: number | null) => (pesewas === null ? null : toCedis(pesewas))
  return {
    people: people.map(({ id, lastSeenAt, ...person }) => ({
      ...person,
      _id: id,
      lastSeenAt: lastSeenAt?.toISOString() ?? null,
      here: lastSeenAt !== null && ctx.now.getTime() - lastSeenAt.getTime() < HERE_MS,
    })),
    rules: {
      secondFactorRequired: rules.secondFactorRequired ?? false,
      passwordAbove: cedisOrNull(rules.passwordAbovePesewas),
      secondPersonAbove: cedisOrNull(rules.secondPersonAbovePesewas),
    },
  }
}
