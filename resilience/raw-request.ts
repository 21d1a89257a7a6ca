import { request } from 'node:http'

export type RawReply = { status: number; headers: Record<string, string | string[] | undefined>; body: string }

/** A request whose path, verb and headers go out exactly as they are; status 0 when the connection was cut. */
export function sendRaw(
  address: string,
  {
    method = 'GET',
    path,
    headers = {},
    body,
  }: { method?: string; path: string; headers?: Record<string, string | string[]>; body?: string | Buffer },
): Promise<RawReply> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve) => {
    // Node says no length for a body of DELETE by itself.
    const said = body === undefined ? headers : { 'content-length': String(Buffer.byteLength(body)), ...headers }
    const sent = request({ hostname, port, method, path, headers: said, agent: false, timeout: 30_000 }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      const done = () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks).toString('utf8') })
      reply.on('end', done)
      reply.on('error', done)
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer in 30 s')))
    sent.on('error', (error) => resolve({ status: 0, headers: {}, body: String(error) }))
    sent.end(body)
  })
}
