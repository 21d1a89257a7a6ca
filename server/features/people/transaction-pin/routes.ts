import { transactionPinEndpoints } from '../../../../shared/transaction-pin.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { lockActor } from '../../../platform/lock-actor.ts'
import { limitChanges } from '../account/limit-changes.ts'
import type { CodeChecks } from '../second-factor/check-code.ts'
import { changePin } from './change-pin.ts'
import { createPinProof } from './create-pin-proof.ts'
import { endPin } from './end-pin.ts'
import { presentPin } from './present.ts'
import { recordPin } from './record-pin.ts'
import { resetPin } from './reset-pin.ts'
import { sendResetCode } from './send-reset-code.ts'
import { selectPin } from './transaction-pin.sql.ts'

export function transactionPinRoutes(app: Api, { checks, sms }: { checks: CodeChecks; sms: SmsGateway }) {
  const { secretsKey } = checks
  const read = async (ctx: Ctx) => presentPin(await selectPin(ctx.db, requireActor(ctx).id), ctx.now)

  mount(
    app,
    transactionPinEndpoints,
    {
      'GET /user/me/pin': ({ ctx }) => read(ctx),
      'POST /user/me/pin': async ({ ctx, body }) => {
        await limitChanges(ctx, checks.limiter, () => recordPin(ctx, checks, body))
        return read(ctx)
      },
      'PUT /user/me/pin': async ({ ctx, body }) => {
        await limitChanges(ctx, checks.limiter, () => changePin(ctx, secretsKey, body))
        return read(ctx)
      },
      'POST /user/me/pin/end': async ({ ctx, body }) => {
        await limitChanges(ctx, checks.limiter, () => endPin(ctx, secretsKey, body.currentPin))
        return { message: 'Your PIN is off.' }
      },
      'POST /user/me/pin/proof': async ({ ctx, body }) => {
        const { id: userId } = requireActor(ctx)
        const made = await createPinProof(ctx, secretsKey, { userId, pin: body.pin, lockOwner: (tx) => lockActor(tx, ctx) })
        return { proof: made.proof, expiresAt: made.expiresAt.toISOString() }
      },
      'POST /user/me/pin/reset-code': ({ ctx, body }) => sendResetCode(ctx, checks, sms, body.password),
      'POST /user/me/pin/reset': async ({ ctx, body }) => {
        await limitChanges(ctx, checks.limiter, () => resetPin(ctx, checks, body))
        return read(ctx)
      },
    },
    {
      'POST /user/me/pin': { share: 'changes that send mail' },
      'PUT /user/me/pin': { share: 'changes that send mail' },
      'POST /user/me/pin/end': { share: 'changes that send mail' },
      'POST /user/me/pin/proof': { share: 'changes' },
      'POST /user/me/pin/reset-code': { share: ['changes that send mail', 'codes by SMS'] },
      'POST /user/me/pin/reset': { share: 'changes that send mail' },
    },
  )
}
