import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Something that is sent to everybody alike, ready in each encoding. */
export type Sent = { plain: Buffer; br: Buffer; gzip: Buffer; etag: string }

export async function compress(text: string): Promise<Sent> {
  const plain = Buffer.from(text)
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(plain), promisify(gzip)(plain)])
  return { plain, br, gzip: zipped, etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"` }
}

/** What was made last of a value, made anew when the value is another. */
export function keepLatest<T>(make: (value: T) => Promise<Sent>): (value: T) => Promise<Sent> {
  let latest: { key: string; made: Promise<Sent> } | null = null
  return (value) => {
    const key = JSON.stringify(value)
    if (latest?.key === key) return latest.made
    const made = make(value)
    latest = { key, made }
    made.catch(() => {
      latest = null
    })
    return made
  }
}

/** Asked for at every visit, and not sent again while it is the same. */
export function send(request: FastifyRequest, reply: FastifyReply, sent: Sent) {
  void reply.header('cache-control', 'no-cache').header('vary', 'accept-encoding').header('etag', sent.etag)
  if (reply.statusCode === 200 && request.headers['if-none-match'] === sent.etag) return reply.code(304).send()
  const accepted = request.headers['accept-encoding'] ?? ''
  const encoding = accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : null
  if (encoding) void reply.header('content-encoding', encoding)
  return reply.send(sent[encoding ?? 'plain'])
}
