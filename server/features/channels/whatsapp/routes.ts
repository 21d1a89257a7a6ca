import { isoDay } from '../../../../shared/dates.ts'
import { whatsappEndpoints, whatsappWebhookEndpoints } from '../../../../shared/whatsapp.ts'
import { requireActor } from '../../../platform/context.ts'
import { selectUsedToday } from '../../../platform/day-caps.sql.ts'
import { Forbidden, NotFound } from '../../../platform/errors.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { refuseUnsigned } from '../../../platform/http/refuse-unsigned.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { changeSettings } from './change-settings.ts'
import { endLink } from './end-link.ts'
import { selectNewest } from './messages.sql.ts'
import { presentLink, presentMessage } from './present.ts'
import type { Answering } from './receive-message.ts'
import { receiveWebhook } from './receive-webhook.ts'
import { sendTest } from './send-test.ts'
import { selectWhatsappSettings } from './settings.sql.ts'
import { startLink } from './start-link.ts'
import { selectIsOn, selectLink } from './whatsapp.sql.ts'

const MESSAGES_SHOWN = 20
/** Meta may gather up to 1,000 updates of half a kilobyte. Larger ones are held in memory before they can be refused. */
const BODY_LIMIT_BYTES = 512 * 1024
/** From one address, of Meta's few. */
const WEBHOOKS = { of: 'WhatsApp webhooks', size: 600, everyMs: 10 }
const SIGNATURE_HEADER = 'x-hub-signature-256'
const SIGNATURE = /^sha256=[0-9a-f]{64}$/i

export function whatsappRoutes(app: Api, deps: Answering & { wrongSignatures: RateLimiter }) {
  const { gateway } = deps
  const onByDefault = gateway.business ? deps.shop.mode === 'sandbox' : null

  mount(
    app,
    whatsappEndpoints,
    {
      'GET /user/me/whatsapp': async ({ ctx }) => {
        const { id, phone } = requireActor(ctx)
        const [link, isOn] = await Promise.all([selectLink(ctx.db, id), onByDefault !== null && selectIsOn(ctx.db, onByDefault)])
        return presentLink(link, { isOn, number: gateway.number, phone })
      },
      'POST /user/me/whatsapp': async ({ ctx }) => {
        const { code, expiresAt } = await startLink(ctx, { onByDefault })
        return { code, expiresAt: expiresAt.toISOString(), number: gateway.number }
      },
      'DELETE /user/me/whatsapp': async ({ ctx }) => {
        await endLink(ctx)
        return { message: 'WhatsApp is disconnected from your account.' }
      },
      'GET /admin/whatsapp': async ({ ctx: { db, now } }) => {
        const [settings, usedToday, messages] = await Promise.all([
          selectWhatsappSettings(db),
          selectUsedToday(db, 'whatsapp_days', isoDay(now)),
          selectNewest(db, MESSAGES_SHOWN),
        ])
        const webhookUrl = `${gateway.publicUrl()}/api/whatsapp/webhook`
        const setUp = { isSetUp: gateway.business !== null, number: gateway.number, webhookUrl }
        return { ...setUp, settings, usedToday, messages: messages.map(presentMessage) }
      },
      'PUT /admin/whatsapp': async ({ ctx, body }) => ({ settings: await changeSettings(ctx, body) }),
      'POST /admin/whatsapp/test': async ({ ctx, body }) => {
        await sendTest(ctx, gateway, body.phone)
        return { message: 'On its way. Below you see what became of it.' }
      },
    },
    {
      'DELETE /user/me/whatsapp': { share: 'changes' },
      'POST /user/me/whatsapp': { share: 'codes for WhatsApp' },
      'POST /admin/whatsapp/test': { share: 'tests of WhatsApp' },
    },
  )

  app.register(async (scope: Api) => {
    // The signature covers the raw bytes, so this route must not parse the body.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    refuseUnsigned(scope, {
      header: SIGNATURE_HEADER,
      form: SIGNATURE,
      isSetUp: () => gateway.business !== null,
      limiter: deps.wrongSignatures,
    })
    mount(
      scope,
      whatsappWebhookEndpoints,
      {
        'GET /whatsapp/webhook': async ({ query, reply }) => {
          if (!gateway.business) throw new NotFound('webhook')
          const { 'hub.mode': mode, 'hub.verify_token': token = '', 'hub.challenge': challenge = '' } = query
          if (mode !== 'subscribe' || !gateway.business.isVerifyToken(token)) throw new Forbidden('The verify token is not right.')
          // Nothing but Meta's own digits is sent back.
          return reply.type('text/plain').send(/^[A-Za-z0-9_-]{1,100}$/.test(challenge) ? challenge : '')
        },
        'POST /whatsapp/webhook': async ({ ctx, request }) => {
          const signature = request.headers[SIGNATURE_HEADER]?.toString()
          const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
          await receiveWebhook(ctx, deps, rawBody, signature)
          return { received: true }
        },
      },
      { 'POST /whatsapp/webhook': { bodyLimit: BODY_LIMIT_BYTES, config: { requests: WEBHOOKS } } },
    )
  })
}
