import { numberEndpoints } from '../../../../shared/numbers.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { confirmNumber } from './confirm-number.ts'
import { selectConfirmedNumbers, selectIsEmailConfirmed } from './confirmed-numbers.sql.ts'
import { requestNumberCode } from './request-number-code.ts'
import { requestRegistrationCode } from './request-registration-code.ts'

export function numberRoutes(app: Api, { sms, limiter }: { sms: SmsGateway; limiter: RateLimiter }) {
  const read = async (ctx: Ctx) => {
    const { id } = requireActor(ctx)
    const [numbers, emailConfirmed] = await Promise.all([selectConfirmedNumbers(ctx.db, id), selectIsEmailConfirmed(ctx.db, id)])
    const confirmed = numbers.map(({ phone, confirmedAt }) => ({ phoneNumber: phone, confirmedAt: confirmedAt.toISOString() }))
    return { confirmed, sendsCodes: sms.sender !== null, emailConfirmed }
  }
  mount(
    app,
    numberEndpoints,
    {
      'GET /user/me/numbers': ({ ctx }) => read(ctx),
      'POST /user/register/code': async ({ ctx, body }) => {
        const { claim, waitMs } = await requestRegistrationCode(ctx, sms, body.phoneNumber)
        return { claim, waitSeconds: Math.ceil(waitMs / 1_000) }
      },
      'POST /user/me/numbers/code': async ({ ctx, body }) => {
        const { isConfirmed, waitMs } = await requestNumberCode(ctx, sms, limiter, body.phoneNumber)
        return { confirmed: isConfirmed, waitSeconds: Math.ceil(waitMs / 1_000) }
      },
      'POST /user/me/numbers': async ({ ctx, body }) => {
        await confirmNumber(ctx, { phone: body.phoneNumber, code: body.code })
        return read(ctx)
      },
    },
    {
      'POST /user/register/code': { share: 'codes by SMS' },
      'POST /user/me/numbers/code': { share: ['number code', 'codes by SMS'] },
      'POST /user/me/numbers': { share: 'number code typed' },
    },
  )
}
