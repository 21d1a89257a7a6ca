import type { Queryable, Tx } from '../../../platform/db.ts'

export type NoteRow = { id: number; body: string; authorId: string; author: string; createdAt: Date }

/** More than anybody reads about one customer. */
const MOST_SHOWN = 100

export async function selectNotes(db: Queryable, userId: string): Promise<NoteRow[]> {
  const { rows } = await db.query<NoteRow>(
    `select n.id, n.body, n.author_id as "authorId", a.username as author, n.created_at as "createdAt"
     from user_notes n join users a on a.id = n.author_id where n.user_id = $1 order by n.id desc limit ${MOST_SHOWN}`,
    [userId],
  )
  return rows
}

export async function insertNote(tx: Tx, note: { userId: string; authorId: string; body: string; now: Date }) {
  await tx.query('insert into user_notes (user_id, author_id, body, created_at) values ($1, $2, $3, $4)', [
    note.userId,
    note.authorId,
    note.body,
    note.now,
  ])
}

/** The text of the note, which is gone; null when it is not the author's, or not about that user. */
export async function removeNote(tx: Tx, note: { id: string; userId: string; authorId: string }): Promise<string | null> {
  const { rows } = await tx.query<{ body: string }>(
    'delete from user_notes where id = $1::bigint and user_id = $2 and author_id = $3 returning body',
    [note.id, note.userId, note.authorId],
  )
  return rows[0]?.body ?? null
}
