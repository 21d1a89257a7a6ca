import { accountEndpoints } from '../../../../shared/account.ts'
import { requireActor } from '../../../platform/context.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import type { PasswordRules } from '../auth/refuse-common-password.ts'
import type { CodeChecks } from '../second-factor/check-code.ts'
import { confirmSecondFactor } from '../second-factor/confirm-second-factor.ts'
import { createRecoveryCodes } from '../second-factor/create-recovery-codes.ts'
import { endSecondFactor } from '../second-factor/end-second-factor.ts'
import { startSecondFactor } from '../second-factor/start-second-factor.ts'
import { presentSelf } from '../users/present.ts'
import { changeContact } from './change-contact.ts'
import { changePassword } from './change-password.ts'
import { confirmPassword } from './confirm-password.ts'
import { endOwnSessions } from './end-own-sessions.ts'
import { limitChanges } from './limit-changes.ts'
import { readAccount } from './queries.ts'

export function accountRoutes(app: Api, { checks, passwords: rules }: { checks: CodeChecks; passwords: PasswordRules }) {
  const { limiter, secretsKey } = checks
  mount(
    app,
    accountEndpoints,
    {
      'GET /user/me/account': ({ ctx }) => readAccount(ctx),

      'PUT /user/me/password': async ({ ctx, body }) => {
        await limitChanges(ctx, limiter, () => changePassword(ctx, { limiter, rules }, body))
        return {
          message: `Your password was changed. Your other devices are signed out${body.endKeys ? ', and your API keys have ended' : ''}.`,
        }
      },

      'PUT /user/me/contact': async ({ ctx, body }) => ({
        user: presentSelf(await limitChanges(ctx, limiter, () => changeContact(ctx, limiter, body)), requireActor(ctx).roles),
      }),

      'POST /user/me/sessions/end': async ({ ctx, body }) => {
        await endOwnSessions(ctx, body.session ?? null)
        return { message: body.session === undefined ? 'Your other devices are signed out.' : 'That device is signed out.' }
      },

      'POST /user/me/confirm-password': async ({ ctx, body }) => {
        await confirmPassword(ctx, limiter, body.password)
        return { message: 'Thank you.' }
      },

      'POST /user/me/second-factor': ({ ctx }) => startSecondFactor(ctx, { secretsKey, shopName: rules.shopName }),

      'POST /user/me/second-factor/confirm': async ({ ctx, body }) => ({
        recoveryCodes: await confirmSecondFactor(ctx, checks, body.code),
      }),

      'POST /user/me/second-factor/end': async ({ ctx, body }) => {
        await endSecondFactor(ctx, checks, body.code)
        return { message: 'The code is off.' }
      },

      'POST /user/me/recovery-codes': async ({ ctx, body }) => ({ recoveryCodes: await createRecoveryCodes(ctx, checks, body.code) }),
    },
    {
      'PUT /user/me/password': { share: 'changes that send mail' },
      'PUT /user/me/contact': { share: 'changes that send mail' },
      'POST /user/me/sessions/end': { share: 'changes' },
      'POST /user/me/confirm-password': { share: 'changes' },
    },
  )
}
