import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isDeviceOfAnybody, keepDevice } from './known-devices.sql.ts'
import { hashToken } from './sessions.ts'

const COOKIE = /(?:^|;\s*)device=([A-Za-z0-9_-]{32})(?:;|$)/
const YEAR_SECONDS = 31_536_000

/**
 * A random number that a browser keeps after signing in. It opens nothing: guesses from elsewhere do not keep its owner out
 * of the sign-in, that is all. One number serves all who share a browser.
 */
export type DeviceCookies = {
  read(request: FastifyRequest): string | null
  /** Notes that the user has been here. */
  remember(request: FastifyRequest, reply: FastifyReply, userId: string): Promise<void>
}

export function openDeviceCookies(publicUrl: () => string): DeviceCookies {
  const read = (request: FastifyRequest) => COOKIE.exec(request.headers.cookie ?? '')?.[1] ?? null
  return {
    read,
    async remember(request, reply, userId) {
      const { db, now } = request.ctx
      const given = read(request)
      // A number that was not given out here may be known to somebody else.
      const device = given !== null && (await isDeviceOfAnybody(db, hashToken(given))) ? given : randomBytes(24).toString('base64url')
      await keepDevice(db, { deviceHash: hashToken(device), userId, now })
      const secure = publicUrl().startsWith('https:') ? '; Secure' : ''
      void reply.header('set-cookie', `device=${device}; Path=/api/user; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Strict${secure}`)
    },
  }
}
