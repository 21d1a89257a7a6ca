import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A reply that is the same for everyone, compressed once for all who ask for that encoding. */
export type Sent = { plain: Buffer; br: () => Promise<Buffer>; gzip: () => Promise<Buffer>; etag: string }

export function compress(text: string): Sent {
  const plain = Buffer.from(text)
  return {
    plain,
    br: once(() => promisify(brotliCompress)(plain)),
    gzip: once(() => promisify(gzip)(plain)),
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
  }
}

export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Caches the result for the latest value and recomputes it when the value changes. */
export function keepLatest<T>(make: (value: T) => Promise<Sent>): (value: T) => Promise<Sent> {
  let latest: { key: string; made: Promise<Sent> } | null = null
  return (value) => {
    const key = JSON.stringify(value)
    if (latest?.key === key) return latest.made
    const made = make(value)
    latest = { key, made }
    made.catch(() => {
      if (latest?.made === made) latest = null
    })
    return made
  }
}

/** Sends the reply compressed, or 304 when the client's copy is current. */
export async function send(request: FastifyRequest, reply: FastifyReply, sent: Sent) {
  void reply.header('cache-control', 'no-cache').header('vary', 'accept-encoding').header('etag', sent.etag)
  if (reply.statusCode === 200 && request.headers['if-none-match'] === sent.etag) return reply.code(304).send()
  const accepted = request.headers['accept-encoding'] ?? ''
  const encoding = accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : null
  if (encoding) void reply.header('content-encoding', encoding)
  return reply.send(encoding ? await sent[encoding]() : sent.plain)
}
