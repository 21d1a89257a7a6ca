import type { Socket } from 'socket.io-client'
import { expect, test, vi } from 'vitest'
import { openRealtime } from './realtime.ts'

const opened: Socket[] = []
vi.mock('socket.io-client', async (load) => {
  const library = await load<typeof import('socket.io-client')>()
  return {
    ...library,
    io: (options: object) => {
      const socket = library.io('http://127.0.0.1:9', { ...options, autoConnect: false })
      opened.push(socket)
      return socket
    },
  }
})

const listeners = new Map<string, () => void>()
vi.stubGlobal('window', {
  addEventListener: (name: string, listener: () => void) => void listeners.set(name, listener),
  removeEventListener: (name: string) => void listeners.delete(name),
})

test('the channel times out after 20 seconds and reconnects after 1 to 5 seconds, without end', () => {
  const close = openRealtime()
  const manager = opened[0]?.io
  expect(manager?.timeout()).toBe(20_000)
  expect(manager?.reconnection()).toBe(true)
  expect(manager?.reconnectionDelay()).toBe(1_000)
  expect(manager?.reconnectionDelayMax()).toBe(5_000)
  expect(manager?.randomizationFactor()).toBe(0.5)
  expect(manager?.reconnectionAttempts()).toBe(Number.POSITIVE_INFINITY)
  close()
})

test('the channel reconnects as soon as the browser is back online', () => {
  const close = openRealtime()
  const socket = opened.at(-1) as Socket
  const connect = vi.spyOn(socket, 'connect').mockReturnValue(socket)
  listeners.get('online')?.()
  expect(connect).toHaveBeenCalledOnce()
  close()
  expect(listeners.size).toBe(0)
})
