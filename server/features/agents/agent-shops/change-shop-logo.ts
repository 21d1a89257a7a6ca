import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { encodeSquare } from '../../shop/images/encode-image.ts'
import { insertLogo } from '../../shop/images/images.sql.ts'
import { readUploadedImage } from '../../shop/images/read-uploaded-image.ts'
import { updateShop } from './agent-shops.sql.ts'
import { lockOwnShop } from './change-shop.ts'

const LOGO_WIDTH = 192
/** A file of 100 KB with more is a bomb, or was meant to be larger. The screen shrinks what an agent chooses. */
const MOST_PIXELS = 8_000_000

/**
 * Checks a picture by its content and stores its pixels anew as the logo of the caller's shop; null takes the logo away.
 * @throws Forbidden, NotFound; Invalid for what is no picture.
 */
export async function changeShopLogo(ctx: Ctx, uri: string | null): Promise<void> {
  // Decoding is slow, so it happens before the transaction.
  const logo = uri === null ? null : await encode(uri)
  await transaction(ctx.db, async (tx) => {
    const shop = await lockOwnShop(tx, ctx)
    if (logo) await insertLogo(tx, { ...logo, now: ctx.now })
    await updateShop(tx, { ...shop, logoHash: logo?.hash ?? null })
  })
}

function encode(uri: string) {
  return readUploadedImage(uri, (source) => encodeSquare(source, { width: LOGO_WIDTH, mostPixels: MOST_PIXELS }))
}
