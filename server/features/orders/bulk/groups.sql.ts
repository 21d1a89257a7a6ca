import type { GroupLine } from '../../../../shared/bulk.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

export type GroupRow = { id: string; name: string; lines: GroupLine[]; count: number; updatedAt: Date }

const GROUP = 'id, name, jsonb_array_length(lines) as count, updated_at as "updatedAt"'

export async function selectGroups(db: Queryable, userId: string): Promise<Omit<GroupRow, 'lines'>[]> {
  const { rows } = await db.query<Omit<GroupRow, 'lines'>>(
    `select ${GROUP} from bulk_groups where user_id = $1 order by lower(name) limit 100`,
    [userId],
  )
  return rows
}

export async function selectGroup(db: Queryable, userId: string, id: string): Promise<GroupRow | null> {
  const { rows } = await db.query<GroupRow>(`select ${GROUP}, lines from bulk_groups where id = $2 and user_id = $1`, [userId, id])
  return rows[0] ?? null
}

export type SavedGroup = { name: string; lines: readonly GroupLine[]; userId: string; now: Date }

export async function insertGroup(tx: Tx, group: SavedGroup): Promise<Omit<GroupRow, 'lines'>> {
  const { rows } = await tx.query<Omit<GroupRow, 'lines'>>(
    `insert into bulk_groups (user_id, name, lines, created_at, updated_at) values ($1, $2, $3, $4, $4) returning ${GROUP}`,
    [group.userId, group.name, JSON.stringify(group.lines), group.now],
  )
  return rows[0] as Omit<GroupRow, 'lines'>
}

export async function updateGroup(tx: Tx, id: string, group: SavedGroup): Promise<Omit<GroupRow, 'lines'> | null> {
  const { rows } = await tx.query<Omit<GroupRow, 'lines'>>(
    `update bulk_groups set name = $3, lines = $4, updated_at = $5 where id = $1 and user_id = $2 returning ${GROUP}`,
    [id, group.userId, group.name, JSON.stringify(group.lines), group.now],
  )
  return rows[0] ?? null
}

/** True if the user had that group. Its schedules go with it. */
export async function removeGroup(tx: Tx, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx.query('delete from bulk_groups where id = $1 and user_id = $2', [id, userId])
  return rowCount === 1
}
