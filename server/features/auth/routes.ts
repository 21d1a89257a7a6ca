import {
  forgetPasswordRequest,
  loginRequest,
  messageReply,
  registerRequest,
  resetPasswordParams,
  resetPasswordRequest,
  signedInUser,
} from '../../../shared/users.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Tries } from '../../platform/tries.ts'
import { presentUser } from '../users/present.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import type { DeviceCookies } from './open-device-cookies.ts'
import { insertResetRequest } from './password-resets.sql.ts'
import type { PasswordRules } from './refuse-common-password.ts'
import { register } from './register.ts'
import { resetPassword } from './reset-password.ts'

type Options = { tries: Tries; devices: DeviceCookies; onResetRequest: () => void; passwords: PasswordRules }

export function authRoutes(app: Api, { tries, devices, onResetRequest, passwords }: Options) {
  app.post(
    '/user/register',
    {
      config: { access: 'anyone', tries: { of: 'register', by: 'address', size: 60, everyMs: 10_000 } },
      schema: { tags: ['users'], summary: 'Open an account and sign in', body: registerRequest, response: { 200: signedInUser } },
    },
    async (request, reply) => {
      const { user, token } = await register(request.ctx, request.body, passwords)
      await devices.remember(request, reply, { userId: user.id, token })
      return { ...presentUser(user), token }
    },
  )

  app.post(
    '/user/login',
    {
      config: { access: 'anyone' },
      schema: { tags: ['sessions'], summary: 'Sign in', body: loginRequest, response: { 200: signedInUser } },
    },
    async (request, reply) => {
      const { user, token } = await login(request.ctx, tries, { ...request.body, device: devices.read(request) })
      await devices.remember(request, reply, { userId: user.id, token })
      return { ...presentUser(user), token }
    },
  )

  app.post(
    '/user/logout',
    { config: { access: 'signed-in' }, schema: { tags: ['sessions'], summary: 'End this session', response: { 200: messageReply } } },
    async (request) => {
      await logout(request.ctx)
      return { message: 'You are signed out.' }
    },
  )

  app.post(
    '/user/forget-password',
    {
      config: { access: 'anyone', tries: { of: 'forgotten password', by: 'address', size: 120, everyMs: 10_000 } },
      schema: {
        tags: ['sessions'],
        summary: 'Ask for a mail to choose a new password',
        body: forgetPasswordRequest,
        response: { 200: messageReply },
      },
    },
    async (request) => {
      // The same one statement for every address; whether it has an account is looked at later.
      await insertResetRequest(request.ctx.db, request.body.email, request.ctx.now)
      onResetRequest()
      return { message: 'Password reset email sent. Please check your inbox.' }
    },
  )

  app.post(
    '/user/reset-password/:token',
    {
      // No limit of its own: nobody guesses 256 bits, a made-up link costs one look, and whoever makes up many must not
      // keep everyone else of a mobile operator from using theirs.
      config: { access: 'anyone' },
      schema: {
        tags: ['sessions'],
        summary: 'Choose a new password by the link that was mailed',
        params: resetPasswordParams,
        body: resetPasswordRequest,
        response: { 200: messageReply },
      },
    },
    async (request, reply) => {
      const userId = await resetPassword(request.ctx, { token: request.params.token, password: request.body.password }, passwords)
      // Whoever has the mail is the owner, and gets in although others guess at the same time.
      await devices.remember(request, reply, { userId, token: null })
      return { message: 'Your password was changed. Please sign in.' }
    },
  )
}
