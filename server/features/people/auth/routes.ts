import { sessionEndpoints } from '../../../../shared/users.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import type { CodeChecks } from '../second-factor/check-code.ts'
import { presentSelf, presentUser } from '../users/present.ts'
import { selectRoles } from '../users/users.sql.ts'
import { confirmBrowser } from './confirm-browser.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import type { DeviceCookies } from './open-device-cookies.ts'
import { insertResetRequest } from './password-resets.sql.ts'
import type { PasswordRules } from './refuse-common-password.ts'
import { type NumberClaims, register } from './register.ts'
import { resetPassword } from './reset-password.ts'

type Options = { checks: CodeChecks; devices: DeviceCookies; onResetRequest: () => void; passwords: PasswordRules; claims: NumberClaims }

export function authRoutes(app: Api, { checks, devices, onResetRequest, passwords, claims }: Options) {
  mount(
    app,
    sessionEndpoints,
    {
      'POST /user/register': async ({ ctx, body, request, reply }) => {
        const { user, token } = await register(
          ctx,
          { ...body, device: devices.read(request) },
          { rules: passwords, limiter: checks.limiter, claims },
        )
        await devices.remember(request, reply, { userId: user.id, token })
        return { ...presentUser(user), token }
      },

      'POST /user/login': async ({ ctx, body, request, reply }) => {
        const { user, token } = await login(ctx, checks, { ...body, device: devices.read(request) })
        await devices.remember(request, reply, { userId: user.id, token })
        return { ...presentSelf(user, user.level === 'Admin' ? await selectRoles(ctx.db, user.id) : []), token }
      },

      'POST /user/logout': async ({ ctx }) => {
        await logout(ctx)
        return { message: 'You are signed out.' }
      },

      'POST /user/forget-password': async ({ ctx, body }) => {
        // Does the same single statement whether or not the address has an account, so that timing reveals nothing.
        await insertResetRequest(ctx.db, body.email, ctx.now)
        onResetRequest()
        return { message: 'Password reset email sent. Please check your inbox.' }
      },

      'POST /user/reset-password/:token': async ({ ctx, params, body, request, reply }) => {
        const userId = await resetPassword(ctx, { token: params.token, password: body.password }, passwords)
        // The reader of the mail is the owner, so their browser becomes known and others' guesses don't lock it out.
        await devices.remember(request, reply, { userId, token: null })
        return { message: 'Your password was changed. Please sign in.' }
      },

      'POST /user/reset-password/:token/keep': async ({ ctx, params, request, reply }) => {
        await devices.remember(request, reply, { userId: await confirmBrowser(ctx, params.token), token: null })
        return { message: 'You can sign in here now, with the password that you have.' }
      },
    },
    {
      'POST /user/logout': { share: 'changes' },
      'POST /user/reset-password/:token': { share: 'open changes' },
      'POST /user/reset-password/:token/keep': { share: 'open changes' },
      'POST /user/login': { share: 'sign-in' },
      'POST /user/register': { share: 'register' },
      // Using the link is not limited: a 256-bit token cannot be guessed, and many phones share an address.
      'POST /user/forget-password': { share: 'forgotten password' },
    },
  )
}
