import {
  forgetPasswordRequest,
  loginRequest,
  messageReply,
  resetPasswordParams,
  resetPasswordRequest,
  signedInUser,
} from '../../../shared/users.ts'
import type { Api } from '../../platform/http/api.ts'
import { presentUser } from '../users/present.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { insertResetRequest } from './password-resets.sql.ts'
import { resetPassword } from './reset-password.ts'

export function authRoutes(app: Api, { onResetRequest }: { onResetRequest: () => void }) {
  app.post(
    '/user/login',
    {
      config: {
        access: 'anyone',
        // By account, not by address: a mobile operator puts thousands of phones behind one address.
        rateLimit: {
          max: 10,
          timeWindow: '15 minutes',
          hook: 'preHandler',
          keyGenerator: (request) => `login ${(request.body as { userPhone: string }).userPhone}`,
        },
      },
      schema: { tags: ['sessions'], summary: 'Sign in', body: loginRequest, response: { 200: signedInUser } },
    },
    async (request) => {
      const { user, token } = await login(request.ctx, request.body)
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
      config: { access: 'anyone', rateLimit: { max: 30, timeWindow: '15 minutes' } },
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
      config: { access: 'anyone', rateLimit: { max: 30, timeWindow: '15 minutes' } },
      schema: {
        tags: ['sessions'],
        summary: 'Choose a new password by the link that was mailed',
        params: resetPasswordParams,
        body: resetPasswordRequest,
        response: { 200: messageReply },
      },
    },
    async (request) => {
      await resetPassword(request.ctx, { token: request.params.token, password: request.body.password })
      return { message: 'Your password was changed. Please sign in.' }
    },
  )
}
