import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Shop } from '../../../shared/shop.ts'
import { sendNothingHere } from './error-replies.ts'

/** The addresses at which the web app has a screen; anything else gets its helpful page with a 404. */
const SCREENS = /^\/(?:store|cart|login|register|info|reset-password\/[^/]+|user\/[^/]+|admin(?:\/[^/]+)?)?\/?$/

/** Serves the built web app: hashed assets for ever, and one page for every screen. */
export async function registerWebApp(app: FastifyInstance, { root, shop }: { root: string; shop: Shop }) {
  const page = await preparePage(join(root, 'index.html'), shop)

  await app.register(fastifyStatic, {
    root,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      void reply.header('cache-control', /[/\\]assets[/\\]/.test(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=300')
    },
    // Only files that are there get a route, so an unknown address falls through to the page.
    wildcard: false,
    globIgnore: ['**/index.html*', '**/*.br', '**/*.gz', '**/.stamp'],
  })

  app.get('/', { schema: { hide: true } }, (request, reply) => sendPage(request, reply, page, 200))
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = ['GET', 'HEAD'].includes(request.method) && (request.headers.accept ?? '').includes('text/html')
    if (!wantsPage) return sendNothingHere(request, reply)
    const path = request.url.split('?', 1)[0] as string
    return sendPage(request, reply, page, SCREENS.test(path) ? 200 : 404)
  })
}

type Page = { plain: Buffer; br: Buffer; gzip: Buffer }

/** Puts the shop's own details into the page as data, so that they can change without a rebuild. */
async function preparePage(file: string, shop: Shop): Promise<Page> {
  const html = await readFile(file, 'utf8')
  const details = JSON.stringify(shop).replaceAll('<', '\\u003c')
  const plain = Buffer.from(
    html
      .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(shop.name)}: ${escapeHtml(shop.tagline)}</title>`)
      .replace('</head>', () => `<script type="application/json" id="shop">${details}</script></head>`),
  )
  return { plain, br: await promisify(brotliCompress)(plain), gzip: await promisify(gzip)(plain) }
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page, status: number) {
  const accepted = request.headers['accept-encoding'] ?? ''
  const encoding = accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : null
  void reply.code(status).type('text/html; charset=utf-8').header('cache-control', 'no-cache').header('vary', 'accept-encoding')
  if (encoding) void reply.header('content-encoding', encoding)
  return reply.send(page[encoding ?? 'plain'])
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
