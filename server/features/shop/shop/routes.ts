import { USUAL_BRAND } from '../../../../shared/brands.ts'
import { AGENT_UPGRADE_FEE_PESEWAS, toCedis } from '../../../../shared/money.ts'
import { shopEndpoints } from '../../../../shared/shop.ts'
import { type ShopSettings, shopSettingsEndpoints } from '../../../../shared/shop-settings.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { imageAddress } from '../images/encode-image.ts'
import { changeLogo } from './change-logo.ts'
import { changePaymentNumbers } from './change-payment-numbers.ts'
import { changeProfile } from './change-profile.ts'
import { changeSetup } from './change-setup.ts'
import type { LiveShop } from './open-live-shop.ts'
import { listPaymentNumbers, readSetup } from './queries.ts'
import { selectProfile } from './shop.sql.ts'

/** 102,400 bytes of image are 136,536 characters of base64. */
const BODY_WITH_LOGO_BYTES = 150 * 1024

export function shopRoutes(app: Api, live: LiveShop, configured: { sms: boolean; supplier: boolean }) {
  const read = async (ctx: Ctx): Promise<{ shop: ShopSettings }> => {
    const row = await selectProfile(ctx.db)
    const shop = {
      ...live.profileOf(row),
      brand: row.brand ?? USUAL_BRAND,
      agentFee: toCedis(row.agentFeePesewas ?? AGENT_UPGRADE_FEE_PESEWAS),
      logo: row.logoHash && imageAddress(row.logoHash),
      paymentNumbers: await listPaymentNumbers(ctx.db),
    }
    return { shop }
  }

  mount(app, shopEndpoints, { 'GET /shop': async () => live.shop })
  mount(
    app,
    shopSettingsEndpoints,
    {
      'GET /admin/shop': ({ ctx }) => read(ctx),

      'PUT /admin/shop': async ({ ctx, body }) => {
        await changeProfile(ctx, body)
        await live.refresh()
        return read(ctx)
      },

      'PUT /admin/shop/logo': async ({ ctx, body }) => {
        await changeLogo(ctx, body.image)
        await live.refresh()
        return read(ctx)
      },

      'PUT /admin/shop/payment-numbers': async ({ ctx, body }) => {
        await changePaymentNumbers(ctx, body.numbers)
        return read(ctx)
      },

      'GET /extra/payment-numbers': ({ ctx }) => listPaymentNumbers(ctx.db),

      'GET /admin/setup': ({ ctx }) => readSetup(ctx.db, requireActor(ctx).id, configured),

      'PUT /admin/setup': async ({ ctx, body }) => {
        await changeSetup(ctx, body)
        return readSetup(ctx.db, requireActor(ctx).id, configured)
      },
    },
    { 'PUT /admin/shop/logo': { bodyLimit: BODY_WITH_LOGO_BYTES } },
  )
}
