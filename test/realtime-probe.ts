import { io, type Socket } from 'socket.io-client'
import { REALTIME_PATH, type RealtimeEvent, type RealtimeEvents, type RealtimePayload } from '../shared/realtime.ts'

export type Heard = { [E in RealtimeEvent]: { event: E; payload: RealtimePayload<E> } }[RealtimeEvent]

/** One device on the realtime channel, and all that it heard, in order. */
export type RealtimeProbe = {
  socket: Socket<RealtimeEvents, Record<string, never>>
  heard: Heard[]
  /** Why the server closed the channel; null while it is open. */
  closed(): string | null
  close(): void
}

/** Connects as a browser does; throws with the server's reason when it is not let in. */
export async function openRealtimeProbe(
  url: string,
  token: string | undefined,
  headers: Record<string, string> = {},
  path = REALTIME_PATH,
): Promise<RealtimeProbe> {
  const socket: RealtimeProbe['socket'] = io(url, {
    path,
    ...(token === undefined ? {} : { auth: { token } }),
    extraHeaders: headers,
    forceNew: true,
    reconnection: false,
    transports: ['websocket'],
  })
  const heard: Heard[] = []
  let closed: string | null = null
  socket.onAny((event, payload) => heard.push({ event, payload } as Heard))
  socket.on('disconnect', (reason) => {
    closed = reason
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', (error) => {
      socket.close()
      reject(error)
    })
  })
  return { socket, heard, closed: () => closed, close: () => void socket.close() }
}
