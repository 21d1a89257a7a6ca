import * as z from 'zod/mini'
import { agentShopEndpoints } from '../../../../shared/agent-shops.ts'
import { isoDay } from '../../../../shared/dates.ts'
import { IF_ON_THE_WAY_HEADER } from '../../../../shared/limits.ts'
import { toCedis } from '../../../../shared/money.ts'
import type { Shop } from '../../../../shared/shop.ts'
import { hasRole, SEES_ORDERS } from '../../../../shared/staff-rules.ts'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { NotFound } from '../../../platform/errors.ts'
import type { Api } from '../../../platform/http/api.ts'
import { toPage } from '../../../platform/http/lists.ts'
import { mount } from '../../../platform/http/mount.ts'
import { tellsGuests } from '../../messages/sms/queries.ts'
import type { AfaRules } from '../../orders/afa/record-afa.ts'
import { recordGuestAfaForm } from '../../orders/afa/record-afa-form.ts'
import { keepGuestBrowser } from '../../orders/orders/refuse-other-browser.ts'
import { openGuestReport } from '../../orders/reports/open-report.ts'
import {
  type ListedShopRow,
  selectBrought,
  selectListedShop,
  selectSales,
  selectShopBySlug,
  selectShopDay,
  selectShopRules,
  selectSubAgentsNow,
} from './agent-shops.sql.ts'
import { changeShop } from './change-shop.ts'
import { changeShopLogo } from './change-shop-logo.ts'
import { changeShopPrices } from './change-shop-prices.ts'
import { changeShopRules } from './change-shop-rules.ts'
import { composeShopPicture } from './compose-shop-picture.ts'
import { encodeShopPictures } from './encode-shop-picture.ts'
import { limitShop } from './limit-shop.ts'
import { openShop } from './open-shop.ts'
import {
  presentListedShop,
  presentOwnShop,
  presentRules,
  presentSale,
  presentShop,
  presentShopDay,
  presentSubAgentsNow,
} from './present.ts'
import { readGuestPurchase, readListedShops, readOwnShop, readShop, readShopOfAgent, readShopPage } from './queries.ts'
import { startGuestPayment } from './start-guest-payment.ts'

/** 102,400 bytes of image are 136,536 characters of base64. */
const BODY_WITH_LOGO_BYTES = 150 * 1024
/** A thousand packages. */
const BODY_WITH_PRICES_BYTES = 256 * 1024

type Deps = { gateway: CardGateway; sms: Pick<SmsGateway, 'sender'>; shop: Shop; publicUrl: () => string; afa: AfaRules }

const PICTURES = { of: 'shop pictures', size: 60, everyMs: 500 } as const
const ONE_DAY = 'public, max-age=86400'
const SHORT = 'public, max-age=300'

/** The picture of a shop that chats show with its link, outside `/api`. `v` says of which state: as long as it is that one it may be kept. */
export function shopPictureRoutes(app: Api, { publicUrl }: Pick<Deps, 'publicUrl'>) {
  const encode = encodeShopPictures()
  app.get(
    '/images/shop-:slug.png',
    {
      config: { access: 'anyone', requests: PICTURES },
      schema: {
        hide: true,
        params: z.object({ slug: z.string().check(z.regex(/^[a-z0-9-]{3,30}$/)) }),
        querystring: z.object({ v: z.optional(z.string()) }),
      },
    },
    async (request, reply) => {
      const { db } = request.ctx
      const page = await readShopPage(db, { slug: request.params.slug, house: publicUrl(), ownHost: false })
      if (!page) throw new NotFound('picture')
      const picture = composeShopPicture(page.shop, page.canonical)
      const bytes = await encode(db, picture)
      return reply
        .header('cache-control', request.query.v === picture.hash ? ONE_DAY : SHORT)
        .type('image/png')
        .send(bytes)
    },
  )
}

export function agentShopRoutes(app: Api, { gateway, sms, shop: house, publicUrl, afa }: Deps) {
  const readOwn = async (ctx: Ctx) => presentOwnShop(await readOwnShop(ctx))

  mount(
    app,
    agentShopEndpoints,
    {
      'GET /shops/:slug': async ({ ctx, params }) => {
        const { shop, offers } = await readShop(ctx, params.slug)
        return { shop: presentShop(shop, offers) }
      },

      'POST /shops/:slug/afa': async ({ ctx, params, body: { consent: _, ...details } }) => {
        const found = await selectShopBySlug(ctx.db, params.slug)
        if (!found) throw new NotFound('shop')
        return { form: await recordGuestAfaForm(ctx, afa, found.id, details) }
      },

      'POST /shops/:slug/payment': ({ ctx, params, headers, body, request, reply }) => {
        const asks = headers[IF_ON_THE_WAY_HEADER] !== undefined
        const browser = keepGuestBrowser(request, reply, publicUrl())
        return startGuestPayment(ctx, gateway, { ...body, slug: params.slug, email: house.email, asks, browser })
      },

      'POST /shops/payment/:reference/confirm': ({ ctx, params }) => readGuestPurchase(ctx, gateway, params.reference),

      'POST /shops/order/:reference/report': async ({ ctx, params, body }) => {
        const phone = await openGuestReport(ctx, { reference: params.reference, text: body.text ?? '' })
        const answer = (await tellsGuests(ctx.db, sms, phone)) ? 'answer by SMS' : 'answer here'
        return { message: `Thank you. We look into it and ${answer}.` }
      },

      'GET /my-shop': ({ ctx }) => readOwn(ctx),

      'POST /my-shop': async ({ ctx, body }) => {
        await openShop(ctx, body, house.name)
        return readOwn(ctx)
      },

      'PUT /my-shop': async ({ ctx, body }) => {
        await changeShop(ctx, body, { name: house.name, host: new URL(publicUrl()).hostname })
        return readOwn(ctx)
      },

      'PUT /my-shop/logo': async ({ ctx, body }) => {
        await changeShopLogo(ctx, body.image)
        return readOwn(ctx)
      },

      'PUT /my-shop/prices': async ({ ctx, body }) => {
        await changeShopPrices(ctx, body)
        return readOwn(ctx)
      },

      'GET /my-shop/sales': async ({ ctx, query }) => {
        const shop = await readShopOfAgent(ctx)
        if (!shop) return { rows: [], total: 0 }
        const { sales, total } = await selectSales(ctx.db, { ...toPage(query), shopId: shop.id })
        return { rows: sales.map(presentSale), total }
      },

      'GET /my-shop/today': async ({ ctx }) => {
        const shop = await readShopOfAgent(ctx)
        const midnight = new Date(isoDay(ctx.now))
        if (!shop) return { day: null, subAgents: null }
        const [day, { orders, earnedPesewas }] = await Promise.all([
          selectShopDay(ctx.db, shop.id, midnight),
          selectBrought(ctx.db, shop.id, midnight),
        ])
        return { day: presentShopDay(day), subAgents: { orders, earned: toCedis(earnedPesewas) } }
      },

      'GET /agent-shops': async ({ ctx, query: { host, names, ...list } }) => {
        const { shops, total } = await readListedShops(ctx.db, {
          ...toPage(list),
          hostWaits: host === 'waiting',
          byPhone: hasRole(requireActor(ctx), SEES_ORDERS),
          likeOurs: names === 'ours' ? house.name : null,
        })
        return { rows: shops.map((row) => presentListedShop(row, house.name, requireActor(ctx))), total }
      },

      'PUT /agent-shops/:id': async ({ ctx, params, body }) => {
        await limitShop(ctx, params.id, body)
        return { shop: presentListedShop((await selectListedShop(ctx.db, params.id)) as ListedShopRow, house.name, requireActor(ctx)) }
      },

      'GET /agent-shops/rules': async ({ ctx }) => {
        const [rules, now] = await Promise.all([selectShopRules(ctx.db), selectSubAgentsNow(ctx.db)])
        return { rules: presentRules(rules), subAgentsNow: presentSubAgentsNow(now, requireActor(ctx)) }
      },

      'PUT /agent-shops/rules': async ({ ctx, body }) => ({ rules: presentRules(await changeShopRules(ctx, body)) }),
    },
    {
      'PUT /my-shop/prices': { bodyLimit: BODY_WITH_PRICES_BYTES, share: 'changes' },
      'PUT /my-shop': { share: 'changes' },
      'POST /my-shop': { share: 'changes' },
      'POST /shops/:slug/afa': { share: 'guest afa form' },
      'POST /shops/:slug/payment': { share: 'guest payment' },
      'POST /shops/payment/:reference/confirm': { share: 'guest question' },
      'POST /shops/order/:reference/report': { share: 'guest report' },
      'PUT /my-shop/logo': { bodyLimit: BODY_WITH_LOGO_BYTES, share: 'shop logo' },
    },
  )
}
