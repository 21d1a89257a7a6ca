import { loginRequest, messageReply, signedInUser } from '../../../shared/users.ts'
import type { Api } from '../../platform/http/api.ts'
import { presentUser } from '../users/present.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'

export function authRoutes(app: Api) {
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
}
