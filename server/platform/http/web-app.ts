import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ShopFace } from '../../../shared/agent-shops.ts'
import { BRANDS, USUAL_BRAND } from '../../../shared/brands.ts'
import type { Product } from '../../../shared/products.ts'
import { SCREEN_PATH } from '../../../shared/screen-addresses.ts'
import type { Shop } from '../../../shared/shop.ts'
import type { Figures } from '../../../shared/stats.ts'
import { ServiceUnavailable } from '../errors.ts'
import { FILES } from './agent-hosts.ts'
import { compress, keepLatest, once, type Sent, send } from './compressed.ts'
import { sendNothingHere, sendOtherMethod } from './error-replies.ts'
import { type AgentShopPage, type Known, preparePages } from './pages.ts'

/** Our own building blocks at a glance, for those who work on the shop. */
const DESIGN = /^\/design\/?$/
/** Private screens, kept out of search engines. */
const PRIVATE = /^\/(?:app-shell|cart|design|info|reset-password|user|agent|admin|join|order|receipt|t)(?:\/|$)/
/** The longest a page waits for the catalogue and for the figures; what comes later the browser fetches. */
const KNOWN_WITHIN_MS = 1_000
const WARM_UP_AFTER_MS = 1_000

/** Headers that only documents need. */
const PAGE_HEADERS = [
  'content-security-policy',
  'referrer-policy',
  'origin-agent-cluster',
  'cross-origin-opener-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]

const ORDER_LINK = /^\/t\/([A-Za-z0-9]{16,24})[^A-Za-z0-9]*$/
/** The tracker, as a guest comes to it from an agent's shop at the house's address. */
const AGENT_TRACKER = /^\/track\/?\?(?:[^#]*&)?shop=([a-z0-9-]{3,30})(?:&|$)/
const AGENT_SHOP = /^\/s\/([^/]+)\/?$/
/** How many agents' shops have their page kept, the newest used. */
const MOST_AGENT_SHOPS = 200

type Options = {
  root: string
  shop: Shop
  readProducts: () => Promise<Product[]>
  readFigures: () => Promise<Figures>
  /** An agent's shop for its page, at the house's address or at its own host name; null when there is none. */
  readAgentShop: (slug: string, ownHost: boolean) => Promise<AgentShopPage | null>
  /** The agent's shop where the order of a link was placed; null for the house's orders, and for none. */
  readFaceOfOrder: (reference: string) => Promise<ShopFace | null>
}

/** Serves the built web app: hashed assets cached for ever, one page for all screens, and two prerendered screens. */
export async function registerWebApp(
  app: FastifyInstance,
  { root, shop, readProducts, readFigures, readAgentShop, readFaceOfOrder }: Options,
) {
  const pages = await preparePages(root, shop)
  const serviceWorker = await readFile(join(root, 'service-worker.js'), 'utf8')
  // Made once for as long as the shop's details stay as they are.
  const asItIs = keepWhile(
    () => JSON.stringify(shop),
    () => {
      const shell = pages.shell()
      return {
        shell,
        homeWithoutPrices: once(() => pages.home(null)),
        home: keepLatest(pages.home),
        store: keepLatest(pages.store),
        agentShop: keepLatestOfEach(pages.agentShop, ({ shop, ownHost }) => `${shop.slug} ${ownHost}`),
        agentOrder: keepLatestOfEach(pages.agentOrder, ({ slug }) => slug),
        serviceWorker: compress(serviceWorker.replace('__PAGES__', () => shell.etag.slice(1, 17))),
        manifest: compress(JSON.stringify(describeApp(shop))),
      }
    },
  )
  // Read on every request (one fast query), so that prices on the page are current; the figures are kept for a minute.
  const readKnown = async (): Promise<Known | null> => {
    const [products, figures] = await Promise.all([inTime(readProducts()), inTime(readFigures())])
    return products && { products, figures }
  }

  await app.register(fastifyStatic, {
    root,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      void reply.header('cache-control', /[/\\]assets[/\\]/.test(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=86400')
    },
  })

  // The first visitor does not wait for what is made once, and neither does the start.
  const warmUp = async () => {
    const known = await readKnown()
    const { shell, home, store } = asItIs()
    if (known) await Promise.all([shell, await home(known), await store(known)].map((page) => page.br()))
  }
  let warmUpSoon: NodeJS.Timeout | undefined
  app.addHook('onListen', async () => {
    warmUpSoon = setTimeout(() => void warmUp().catch(() => undefined), WARM_UP_AFTER_MS).unref()
  })
  app.addHook('onClose', async () => clearTimeout(warmUpSoon))

  app.addHook('onSend', async (request, reply) => {
    if (/^\/(?:assets|images)\//.test(request.url) && reply.statusCode === 200) for (const name of PAGE_HEADERS) reply.removeHeader(name)
  })

  const hidden = { schema: { hide: true } }
  const sendAgentShop = async (request: FastifyRequest, reply: FastifyReply, slug: string) => {
    const known = await inTime(readAgentShop(slug, request.agentShop !== null).then((page) => page ?? 'none'))
    if (known === 'none') return sendPage(request, reply.code(404), asItIs().shell)
    // Not known in time: the browser asks. Its own host name shows nothing of the house meanwhile.
    if (known === null && request.agentShop !== null) throw new ServiceUnavailable()
    return sendPage(request, reply, known ? await asItIs().agentShop(known) : asItIs().shell)
  }
  app.get('/', hidden, async (request, reply) => {
    if (request.agentShop !== null) return sendAgentShop(request, reply, request.agentShop)
    const known = await readKnown()
    const { home, homeWithoutPrices } = asItIs()
    return sendPage(request, reply, known ? await home(known) : await homeWithoutPrices())
  })
  app.get('/store', hidden, async (request, reply) => {
    const known = await readKnown()
    const { shell, store } = asItIs()
    return sendPage(request, reply, known ? await store(known) : shell)
  })
  const methods = { ...hidden, method: ['GET', 'HEAD'] }
  for (const name of await listFiles(root, /^(?:index\.html|manifest\.json|service-worker\.js|\.stamp)$/)) {
    app.route({ ...methods, url: `/${name}`, handler: (_request, reply) => reply.sendFile(name) })
  }
  // One route for the many of them, of which each would take time at every start.
  const assets = new Set(await listFiles(join(root, 'assets')))
  app.route<{ Params: { name: string } }>({
    ...methods,
    url: '/assets/:name',
    handler: ({ params: { name } }, reply) => (assets.has(name) ? reply.sendFile(`assets/${name}`) : reply.callNotFound()),
  })
  app.get('/service-worker.js', hidden, (request, reply) =>
    send(request, reply.type('text/javascript; charset=utf-8'), asItIs().serviceWorker),
  )
  app.get('/manifest.webmanifest', hidden, (request, reply) => send(request, reply.type('application/manifest+json'), asItIs().manifest))
  app.setNotFoundHandler(async (request, reply) => {
    const wantsPage = ['GET', 'HEAD'].includes(request.method) && /text\/html|^\*\/\*$/.test(request.headers.accept ?? '')
    const path = request.url.split('?', 1)[0] as string
    const isScreen = SCREEN_PATH.test(path) || (shop.mode === 'sandbox' && DESIGN.test(path))
    if (isScreen && !['GET', 'HEAD'].includes(request.method)) return sendOtherMethod(reply, ['GET', 'HEAD'])
    // A file has no page of its own, least of all the house's at an agent's host.
    if (FILES.test(path)) return sendNothingHere(request, reply)
    if (!wantsPage || (!isScreen && request.headers.accept === '*/*')) return sendNothingHere(request, reply)
    if (PRIVATE.test(path)) void reply.header('x-robots-tag', 'noindex')
    const slug = AGENT_SHOP.exec(path)?.[1]?.toLowerCase() ?? AGENT_TRACKER.exec(request.url)?.[1]
    if (request.agentShop !== null && slug === request.agentShop) return reply.redirect('/', 302)
    const agents = request.agentShop ?? slug
    if (agents !== undefined) return sendAgentShop(request, reply, agents)
    const reference = ORDER_LINK.exec(path)?.[1]
    const face = reference === undefined ? null : await inTime(readFaceOfOrder(reference))
    if (face) return sendPage(request, reply, await asItIs().agentOrder(face))
    return sendPage(request, reply.code(isScreen ? 200 : 404), asItIs().shell)
  })
}

/** Null when it fails or takes too long. */
async function inTime<T>(reading: Promise<T>): Promise<T | null> {
  const tooLate = new Promise<null>((resolve) => setTimeout(resolve, KNOWN_WITHIN_MS, null).unref())
  return Promise.race([reading.catch(() => null), tooLate])
}

/** The files that browsers ask for by name; what is compressed beside them is sent in their stead. */
async function listFiles(folder: string, except?: RegExp): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isFile() && !/\.(?:br|gz)$/.test(entry.name) && !except?.test(entry.name)).map(({ name }) => name)
}

/** The latest page of each shop, for as many shops as are kept. */
function keepLatestOfEach<P>(make: (page: P) => Promise<Sent>, keyOf: (page: P) => string) {
  const kept = new Map<string, (page: P) => Promise<Sent>>()
  return (page: P) => {
    const key = keyOf(page)
    const makeLatest = kept.get(key) ?? keepLatest(make)
    kept.delete(key)
    kept.set(key, makeLatest)
    const [oldest] = kept.keys()
    if (kept.size > MOST_AGENT_SHOPS && oldest !== undefined) kept.delete(oldest)
    return makeLatest(page)
  }
}

/** Makes it anew when the key changes. */
function keepWhile<T>(keyNow: () => string, make: () => T): () => T {
  let kept: { key: string; made: T } | null = null
  return () => {
    const key = keyNow()
    if (kept?.key !== key) kept = { key, made: make() }
    return kept.made
  }
}

function describeApp({ name, tagline, icon: own, brand = USUAL_BRAND }: Shop) {
  const icon = (file: string, size: number, purpose = 'any') => ({
    src: `/${file}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  return {
    id: '/',
    name,
    short_name: name,
    description: tagline,
    lang: 'en',
    start_url: '/store',
    scope: '/',
    display: 'standalone',
    background_color: '#f1eee3',
    theme_color: BRANDS[brand].light.brand,
    icons: own
      ? [{ src: own, sizes: '512x512', type: 'image/webp', purpose: 'any' }]
      : [icon('icon-192', 192), icon('icon-512', 512), icon('icon-maskable-512', 512, 'maskable')],
  }
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: Sent) {
  // The shop's time, for phones whose clock is wrong: EARLY_SCRIPT reads it.
  return send(request, reply.type('text/html; charset=utf-8').header('server-timing', `t;dur=${Date.now()}`), page)
}
