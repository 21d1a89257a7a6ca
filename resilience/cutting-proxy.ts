import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export type CuttingProxy = {
  /** The service's address with the proxy in it. */
  url: string
  /** Whether a call is cut before the service has it, or after it has answered. */
  decide: (method: string, path: string) => 'pass' | 'cut-before' | 'cut-after'
  onCut: () => void
  cuts: number
  close(): Promise<void>
}

/** Stands between the shop and a service outside, and cuts the line before or after a chosen call. */
export async function openCuttingProxy(serviceUrl: string): Promise<CuttingProxy> {
  const service = new URL(serviceUrl)
  const server = createServer((asked, answer) => {
    const verdict = proxy.decide(asked.method ?? 'GET', asked.url ?? '/')
    const cut = () => {
      proxy.cuts += 1
      proxy.onCut()
      asked.socket.destroy()
    }
    if (verdict === 'cut-before') return cut()
    const passed = request(
      {
        hostname: service.hostname,
        port: service.port,
        method: asked.method,
        path: asked.url,
        headers: { ...asked.headers, host: service.host },
      },
      (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('end', () => {
          if (verdict === 'cut-after') return cut()
          answer.writeHead(reply.statusCode ?? 502, reply.headers).end(Buffer.concat(chunks))
        })
      },
    )
    passed.on('error', () => asked.socket.destroy())
    asked.pipe(passed)
  })
  const proxy: CuttingProxy = {
    url: '',
    decide: () => 'pass',
    onCut: () => {},
    cuts: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${service.pathname.replace(/\/$/, '')}`
  return proxy
}
