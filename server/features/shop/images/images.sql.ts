import type { Queryable } from '../../../platform/db.ts'

export type NewImage = { hash: string; contentType: string; bytes: Buffer; now: Date }

/** The picture of a product, which stays: orders show it. */
export async function insertImage(tx: Queryable, image: NewImage) {
  await insert(tx, image, true)
}

/** A logo, which is deleted a while after nothing shows it any more. */
export async function insertLogo(tx: Queryable, image: NewImage) {
  await insert(tx, image, false)
}

/** The same picture may be there already: it counts as new, so that its deletion sees that it is used again. */
async function insert(tx: Queryable, { hash, contentType, bytes, now }: NewImage, ofProducts: boolean) {
  await tx.query(
    `insert into images as i (hash, content_type, bytes, created_at, of_products) values ($1, $2, $3, $4, $5)
     on conflict (hash) do update set created_at = greatest(i.created_at, excluded.created_at), of_products = i.of_products or excluded.of_products`,
    [hash, contentType, bytes, now, ofProducts],
  )
}

/** Logos that another has replaced. */
export async function deleteOldLogos(db: Queryable, before: Date) {
  await db.query(
    `delete from images i where not of_products and created_at < $1
       and not exists (select from products p where p.image_hash = i.hash) and not exists (select from agent_shops s where s.logo_hash = i.hash)
       and not exists (select from shop_settings s where i.hash in (s.logo_hash, s.icon_hash))`,
    [before],
  )
}

export async function selectImage(db: Queryable, hash: string): Promise<{ contentType: string; bytes: Buffer } | null> {
  const { rows } = await db.query<{ contentType: string; bytes: Buffer }>(
    'select content_type as "contentType", bytes from images where hash = $1',
    [hash],
  )
  return rows[0] ?? null
}
