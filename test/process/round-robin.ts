import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

export type RoundRobin = { address: string; close(): Promise<void> }

/** A proxy that gives each request to the next process, and each websocket too: a stand-in for nginx before several. */
export async function openRoundRobin(addresses: string[]): Promise<RoundRobin> {
  let turn = 0
  const next = () => new URL(addresses[turn++ % addresses.length]!)
  const server = createServer((incoming, outgoing) => {
    const { hostname, port } = next()
    const passed = request({ hostname, port, method: incoming.method, path: incoming.url, headers: forwarded(incoming) }, (reply) => {
      outgoing.writeHead(reply.statusCode!, reply.headers)
      reply.pipe(outgoing)
    })
    passed.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(passed)
  })
  server.on('upgrade', (incoming, socket, head) => {
    const { hostname, port } = next()
    const passed = connect({ host: hostname, port: Number(port) }, () => {
      const headers = Object.entries(forwarded(incoming)).map(([name, value]) => `${name}: ${value}\r\n`)
      passed.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers.join('')}\r\n`)
      passed.write(head)
      socket.pipe(passed).pipe(socket)
    })
    for (const end of [passed, socket]) {
      end.on('error', () => undefined)
      end.on('close', () => (end === passed ? socket : passed).destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function forwarded({ headers, socket }: IncomingMessage) {
  const before = headers['x-forwarded-for']
  return { ...headers, 'x-forwarded-for': before === undefined ? socket.remoteAddress : `${before}, ${socket.remoteAddress}` }
}
