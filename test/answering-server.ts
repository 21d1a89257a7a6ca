import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Heard = { method: string; url: string; headers: IncomingHttpHeaders; body: unknown }
/** A text is sent as it is, anything else as JSON; `cut`: the connection is cut instead. */
export type Said = { status?: number; body?: unknown; cut?: boolean; hang?: boolean; location?: string }

export type AnsweringServer = { url: string; heard: Heard[]; answer(said: Said | ((heard: Heard) => Said)): void; close(): Promise<void> }

/** An outside service that replies as the test says, and records the requests. */
export async function openAnsweringServer(): Promise<AnsweringServer> {
  let next: (heard: Heard) => Said = () => ({})
  const heard: Heard[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: text === '' ? null : JSON.parse(text),
      }
      heard.push(one)
      const { status = 200, body = '', cut = false, hang = false, location } = next(one)
      if (hang) return
      if (cut) {
        request.socket.destroy()
        return
      }
      response.writeHead(status, { 'content-type': 'application/json', ...(location === undefined ? {} : { location }) })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    answer(said) {
      next = typeof said === 'function' ? said : () => said
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
