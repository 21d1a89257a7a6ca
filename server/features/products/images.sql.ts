import type { Queryable } from '../../platform/db.ts'

export async function insertImage(tx: Queryable, image: { hash: string; contentType: string; bytes: Buffer; now: Date }) {
  await tx.query('insert into images (hash, content_type, bytes, created_at) values ($1, $2, $3, $4) on conflict (hash) do nothing', [
    image.hash,
    image.contentType,
    image.bytes,
    image.now,
  ])
}

export async function selectImage(db: Queryable, hash: string): Promise<{ contentType: string; bytes: Buffer } | null> {
  const { rows } = await db.query<{ contentType: string; bytes: Buffer }>(
    'select content_type as "contentType", bytes from images where hash = $1',
    [hash],
  )
  return rows[0] ?? null
}
