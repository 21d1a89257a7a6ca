import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashToken } from '../../platform/hash-token.ts'
import { addressKey } from '../../platform/http/address-key.ts'
import { isDeviceOfAnybody, keepDevices } from './known-devices.sql.ts'

const COOKIE = /(?:^|;\s*)device=([A-Za-z0-9_-]{32})(?:;|$)/
const YEAR_SECONDS = 31_536_000

/**
 * A random number that a browser keeps after signing in. It opens nothing: guesses from elsewhere do not keep its owner out
 * of the sign-in, that is all. One number serves all who share a browser.
 */
export type DeviceCookies = {
  read(request: FastifyRequest): string | null
  /** Notes that the user has been here, in this browser and at this address; `token` is of the session that began. */
  remember(request: FastifyRequest, reply: FastifyReply, who: { userId: string; token: string | null }): Promise<void>
}

/** An address as it is kept beside the browsers: who comes back to where they signed in is no stranger there. */
export function hashPlace(ip: string | null): Buffer {
  return hashToken(`the address ${addressKey(ip ?? '')}`)
}

export function openDeviceCookies(publicUrl: () => string): DeviceCookies {
  const read = (request: FastifyRequest) => COOKIE.exec(request.headers.cookie ?? '')?.[1] ?? null
  return {
    read,
    async remember(request, reply, { userId, token }) {
      const { db, now } = request.ctx
      const given = read(request)
      // A number that was not given out here may be known to somebody else.
      const device = given !== null && (await isDeviceOfAnybody(db, hashToken(given))) ? given : randomBytes(24).toString('base64url')
      const hashes = [hashToken(device), hashPlace(request.ip)]
      await keepDevices(db, { hashes, userId, sessionHash: token === null ? null : hashToken(token), now })
      const secure = publicUrl().startsWith('https:') ? '; Secure' : ''
      void reply.header('set-cookie', `device=${device}; Path=/api/user; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Strict${secure}`)
    },
  }
}
