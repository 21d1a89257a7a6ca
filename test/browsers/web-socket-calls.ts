type Message = { id?: number; method?: string; params?: unknown; result?: unknown; error?: unknown; message?: string }

export type WebSocketCalls = Awaited<ReturnType<typeof openWebSocketCalls>>

/** Calls and events over a WebSocket, as the DevTools protocol and WebDriver BiDi both have them. */
export async function openWebSocketCalls(address: string, onEvent: (method: string, params: unknown) => void) {
  const socket = new WebSocket(address)
  const waiting = new Map<number, { method: string; resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  let calls = 0
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error(`no connection to ${address}`))
  })
  socket.onmessage = ({ data }) => {
    const { id, method, params, result, error, message } = JSON.parse(String(data)) as Message
    const call = id === undefined ? undefined : waiting.get(id)
    if (id === undefined || !call) return onEvent(method ?? '', params)
    waiting.delete(id)
    if (error) call.reject(new Error(`${call.method}: ${JSON.stringify(error)} ${message ?? ''}`))
    else call.resolve(result)
  }
  socket.onclose = () => {
    for (const { reject } of waiting.values()) reject(new Error('the browser closed the connection'))
  }
  return {
    call<T>(method: string, params: object = {}): Promise<T> {
      const id = ++calls
      return new Promise<T>((resolve, reject) => {
        if (socket.readyState !== WebSocket.OPEN) return reject(new Error(`${method}: the browser closed the connection`))
        waiting.set(id, { method, resolve: (result) => resolve(result as T), reject })
        socket.send(JSON.stringify({ id, method, params }))
      })
    },
    close: () => socket.close(),
  }
}
