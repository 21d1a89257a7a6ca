import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressKey } from '../../../platform/address-key.ts'
import { describeDevice } from '../../../platform/describe-device.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { browserIds } from '../../../platform/http/browser-ids.ts'
import { isDeviceOfAnybody, keepDevices } from './known-devices.sql.ts'

const DEVICE = browserIds({ name: 'device', path: '/api/user' })

/**
 * A random id that a browser keeps after a sign-in. It grants nothing; it only separates the owner's attempts from guesses
 * made elsewhere. All users of a browser share it.
 */
export type DeviceCookies = {
  read(request: FastifyRequest): string | null
  /** Remembers this browser and address for the user; `token` is that of the session just begun. */
  remember(request: FastifyRequest, reply: FastifyReply, who: { userId: string; token: string | null }): Promise<void>
}

/** An address in the form in which it is stored beside browsers. */
export function hashPlace(ip: string | null): Buffer {
  return hashToken(`the address ${addressKey(ip ?? '')}`)
}

export function openDeviceCookies(publicUrl: () => string): DeviceCookies {
  return {
    read: DEVICE.read,
    async remember(request, reply, { userId, token }) {
      const { db, now } = request.ctx
      const given = DEVICE.read(request)
      // An id that we did not issue may be known to someone else, so it is replaced.
      const device = given !== null && (await isDeviceOfAnybody(db, hashToken(given))) ? given : DEVICE.make()
      const hashes = [hashToken(device), hashPlace(request.ip)]
      const sessionHash = token === null ? null : hashToken(token)
      await keepDevices(db, { hashes, userId, sessionHash, device: describeDevice(request.headers['user-agent']), now })
      DEVICE.keep(reply, device, publicUrl())
    },
  }
}
