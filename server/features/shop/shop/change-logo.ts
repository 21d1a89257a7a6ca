import { recordAdminAction } from '../../../platform/audit.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { requireStaff } from '../../../platform/lock-actor.ts'
import { encodeSquare } from '../images/encode-image.ts'
import { insertLogo } from '../images/images.sql.ts'
import { readUploadedImage } from '../images/read-uploaded-image.ts'
import { lockProfile, type ProfileRow, updateProfile } from './shop.sql.ts'

/** In the header it is 30 pixels wide, on a dense screen three times that. */
const LOGO_WIDTH = 96
/** What browsers ask for to put a shop on a phone's home screen. */
const ICON_WIDTH = 512

/**
 * Checks a picture by its content and stores its pixels anew, in two sizes; null takes the logo away.
 * @throws Invalid for what is no picture.
 */
export async function changeLogo(ctx: Ctx, uri: string | null): Promise<ProfileRow> {
  // Decoding is slow, so it happens before the transaction.
  const [logo, icon] = uri === null ? [null, null] : await Promise.all([encode(uri, LOGO_WIDTH), encode(uri, ICON_WIDTH)])
  return transaction(ctx.db, async (tx) => {
    await requireStaff(tx, ctx, 'owner')
    const before = await lockProfile(tx)
    for (const image of [logo, icon]) if (image) await insertLogo(tx, { ...image, now: ctx.now })
    const after = { ...before, logoHash: logo?.hash ?? null, iconHash: icon?.hash ?? null }
    await updateProfile(tx, after, ctx.now)
    await recordAdminAction(tx, ctx, {
      action: 'shop.logo',
      subject: { type: 'shop', id: 'shop' },
      before: { logo: before.logoHash },
      after: { logo: after.logoHash },
    })
    return after
  })
}

function encode(uri: string, width: number) {
  return readUploadedImage(uri, (source) => encodeSquare(source, { width }))
}
