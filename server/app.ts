import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import helmet from 'helmet'
import { USUAL_BRAND } from '../shared/brands.ts'
import type { MessageFormat } from '../shared/message-formats.ts'
import type { Shop } from '../shared/shop.ts'
import { type Background, openBackground } from './background.ts'
import { selectHosts } from './features/agents/agent-shops/agent-shops.sql.ts'
import { readFaceOfOrder, readShopPage } from './features/agents/agent-shops/queries.ts'
import { agentShopRoutes, shopPictureRoutes } from './features/agents/agent-shops/routes.ts'
import { subAgentRoutes } from './features/agents/sub-agents/routes.ts'
import { withdrawalRoutes } from './features/agents/withdrawals/routes.ts'
import { claimUpgrade } from './features/card/payments/claim-upgrade.ts'
import { paymentRoutes } from './features/card/payments/routes.ts'
import { refundRoutes } from './features/card/refunds/routes.ts'
import { contactRoutes } from './features/catalogue/contacts/routes.ts'
import { costRoutes } from './features/catalogue/costs/routes.ts'
import { priceRoutes } from './features/catalogue/prices/routes.ts'
import { readCatalogue } from './features/catalogue/products/queries.ts'
import { imageRoutes, productRoutes } from './features/catalogue/products/routes.ts'
import { apiKeyRoutes } from './features/channels/api-keys/routes.ts'
import { channelRoutes } from './features/channels/conversations/routes.ts'
import { developerApiRoutes } from './features/channels/developer-api/routes.ts'
import { ussdRoutes } from './features/channels/ussd/routes.ts'
import { webhookRoutes } from './features/channels/webhooks/routes.ts'
import { whatsappRoutes } from './features/channels/whatsapp/routes.ts'
import { batchRoutes } from './features/delivery/batches/routes.ts'
import { deliveryRoutes } from './features/delivery/deliveries/routes.ts'
import { floatRoutes } from './features/delivery/floats/routes.ts'
import { supplierRoutes } from './features/delivery/supplier/routes.ts'
import { messageFormatRoutes } from './features/messages/message-formats/routes.ts'
import { customerRoutes } from './features/office/customers/routes.ts'
import { dayCloseRoutes } from './features/office/day-close/routes.ts'
import { exportRoutes } from './features/office/export/routes.ts'
import { jobRoutes } from './features/office/failed-jobs/routes.ts'
import { inboxRoutes } from './features/office/inbox/routes.ts'
import { insightRoutes } from './features/office/insight/routes.ts'
import { profitRoutes } from './features/office/profit/routes.ts'
import { bookRoutes } from './features/office/reconciliation/routes.ts'
import { openFigures } from './features/office/stats/open-figures.ts'
import { statsRoutes } from './features/office/stats/routes.ts'
import { afaRoutes } from './features/orders/afa/routes.ts'
import { bulkRoutes } from './features/orders/bulk/routes.ts'
import { checkerRoutes } from './features/orders/checkers/routes.ts'
import { hasPaidIn } from './features/orders/orders/refuse-other-browser.ts'
import { orderRoutes } from './features/orders/orders/routes.ts'
import { reportRoutes } from './features/orders/reports/routes.ts'
import { accountRoutes } from './features/people/account/routes.ts'
import { adminActionRoutes } from './features/people/activity/routes.ts'
import { openDeviceCookies } from './features/people/auth/open-device-cookies.ts'
import type { PasswordRules } from './features/people/auth/refuse-common-password.ts'
import { authRoutes } from './features/people/auth/routes.ts'
import type { ResetMail } from './features/people/auth/send-password-resets.ts'
import { newsRoutes } from './features/people/news/routes.ts'
import { numberRoutes } from './features/people/numbers/routes.ts'
import { confirmTakenNumber, takeOverNumber } from './features/people/numbers/take-over-number.ts'
import { referralRoutes } from './features/people/referrals/routes.ts'
import { findActor } from './features/people/sessions/find-actor.ts'
import { staffRoutes } from './features/people/staff/routes.ts'
import { transactionPinRoutes } from './features/people/transaction-pin/routes.ts'
import { userRoutes } from './features/people/users/routes.ts'
import { noticeRoutes } from './features/shop/notice/routes.ts'
import { settingsRoutes } from './features/shop/settings/routes.ts'
import { openLiveShop } from './features/shop/shop/open-live-shop.ts'
import { shopRoutes } from './features/shop/shop/routes.ts'
import { type CheckoutLimits, openCheckoutLimiter } from './features/storefront/checkout/open-checkout-limiter.ts'
import { checkoutRoutes } from './features/storefront/checkout/routes.ts'
import { trackerRoutes } from './features/storefront/tracker/routes.ts'
import { forwarderRoutes } from './features/wallet/forwarders/routes.ts'
import { selectByItself } from './features/wallet/received-payments/credit-rules.sql.ts'
import { receivedPaymentRoutes } from './features/wallet/received-payments/routes.ts'
import { rechargeRoutes } from './features/wallet/recharges/routes.ts'
import { walletRoutes } from './features/wallet/wallet/routes.ts'
import type { CardGateway } from './integrations/payments/card-gateway.ts'
import type { SmsGateway } from './integrations/sms/sms-gateway.ts'
import type { SupplierGateway } from './integrations/supplier/suppliers.ts'
import { openWebhookGateway, type WebhookGateway } from './integrations/webhooks/webhook-gateway.ts'
import type { WhatsappGateway } from './integrations/whatsapp/whatsapp-gateway.ts'
import type { Db } from './platform/db.ts'
import type { DiskSpace } from './platform/disk-space.ts'
import { ServiceUnavailable } from './platform/errors.ts'
import { registerAccess } from './platform/http/access.ts'
import { limitAgentHosts, openHostFinder } from './platform/http/agent-hosts.ts'
import { answerInTurn } from './platform/http/answer-in-turn.ts'
import { registerContext } from './platform/http/context.ts'
import { countRequests } from './platform/http/count-requests.ts'
import { registerErrorReplies, sendError, sendNothingHere } from './platform/http/error-replies.ts'
import { registerHealth } from './platform/http/health.ts'
import { registerJsonBodies } from './platform/http/json-bodies.ts'
import { limitBodies } from './platform/http/limit-bodies.ts'
import { handshakesFrom, limitRate, limitRequests, requireShares } from './platform/http/limit-rate.ts'
import { limitWork } from './platform/http/limit-work.ts'
import { noteMethods } from './platform/http/methods-at.ts'
import { registerOpenApi } from './platform/http/openapi.ts'
import { EARLY_SCRIPT_SOURCE, ownStyles, readStyleSources } from './platform/http/pages.ts'
import { plainPath } from './platform/http/plain-path.ts'
import { zodSchemas } from './platform/http/schema-controller.ts'
import { limitSlowSockets, SLOW_SOCKETS } from './platform/http/slow-sockets.ts'
import { setValidationWords } from './platform/http/validation-words.ts'
import { registerWebApp } from './platform/http/web-app.ts'
import { openJobQueue } from './platform/job-queue.ts'
import type { Log } from './platform/log.ts'
import { startLoop } from './platform/loop.ts'
import { queueRules } from './platform/queues.ts'
import { databaseBuckets, memoryBuckets, openRateLimiter } from './platform/rate-limiter.ts'
import { openRealtime, type Realtime } from './platform/realtime.ts'
import type { SecretsKey } from './platform/seal-secret.ts'
import type { SocketLimits } from './platform/socket-limits.ts'
import type { Timings } from './platform/timings.ts'
import type { Vault } from './platform/vault.ts'

export type AppDeps = {
  db: Db
  log: Log
  shop: Shop
  /** The clock; tests set it. */
  now: () => Date
  /** True when several processes use this database, so that announcements must reach the others. */
  sharedDatabase: boolean
  rateLimits: boolean
  passwords: PasswordRules
  /** Encrypts the secrets of authenticator apps; they are kept as they are without it. */
  secretsKey?: SecretsKey | null
  /** How long AFA's details are kept, 30 days if not given, and whether foreigners' cards are taken. */
  afa?: { keepDays: number; foreignCards: boolean }
  /** Encrypts the checkers in stock; without it the shop keeps none. */
  vault?: Vault | null
  /** Forms of mobile-money messages besides those that the shop knows. */
  messageFormats?: readonly MessageFormat[]
  /** Serves the API description at `/api/docs`; defaults to true. */
  apiDocs?: boolean
  /** Socket limits; they apply while rate limits are on. */
  socketLimits?: Omit<SocketLimits, 'trustedProxies' | 'mayAsk'>
  /** Purchase rate per user; applies while rate limits are on. */
  checkoutLimits?: CheckoutLimits
  trustedProxies: number
  /** A sandbox that no other machine reaches: webhooks may go to programs beside it. Default: false. */
  onlyThisMachine?: boolean
  /** The card provider's gateway. */
  gateway: CardGateway
  /** How password mails are sent. */
  resetMail: ResetMail
  /** The data suppliers. */
  supplierGateway: SupplierGateway
  /** The message service. */
  smsGateway: SmsGateway
  /** The shop's WhatsApp number. */
  whatsappGateway: WhatsappGateway
  /** How events reach agents' programs; by default only over https, and only on the public internet. */
  webhookGateway?: WebhookGateway
  /** A small pool for the job queue alone. The caller closes it after the app. */
  jobsDb: Db
  timings: Timings
  /** False while the database does not answer; requests that need it then fail at once. */
  isDatabaseAlive?: () => boolean
  /** The disk of the embedded database; that of another database is not ours to watch. */
  disk?: DiskSpace | null
  /** The secret in the address that the simulated USSD gateway calls. */
  ussdSandboxSecret?: string | null
  /** The folder of the built web app; null serves the API alone. */
  webRoot: string | null
}

export type App = FastifyInstance & { realtime: Realtime; background: Background; requestsWaiting: () => number }

/** Every JSON body is small, except a product with its picture. */
const BODY_LIMIT_BYTES = 64 * 1024
/** The longest list, 3 MB, at 10 KB a second. */
const LONGEST_UPLOAD_MS = 300_000
const HANG_UP_EVERY_MS = 100
/** How soon the other processes of a shop show what its owner changed in one. */
const SHOP_REFRESH_MS = 5_000

const BARE_HEADERS = {
  'content-security-policy': "default-src 'none';object-src 'none';base-uri 'none';frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/**
 * Builds the server from its dependencies, without listening. If a step fails, what was already started is stopped.
 * @throws whatever made a step fail.
 */
export async function buildApp(deps: AppDeps): Promise<App> {
  const begun: (() => Promise<unknown>)[] = []
  try {
    return await build(deps, begun)
  } catch (error) {
    await Promise.allSettled(begun.map((end) => end()))
    throw error
  }
}

async function build(deps: AppDeps, begun: (() => Promise<unknown>)[]): Promise<App> {
  const { db, log, shop, now, passwords } = deps
  setValidationWords()
  const app = Fastify({
    loggerInstance: log,
    genReqId: () => crypto.randomUUID(),
    bodyLimit: BODY_LIMIT_BYTES,
    // Fastify has no time-outs by default, so slow sockets could stay open for ever. A request that moves has longer (limitSlowSockets).
    connectionTimeout: SLOW_SOCKETS.idleMs,
    requestTimeout: LONGEST_UPLOAD_MS,
    keepAliveTimeout: 30_000,
    // Node checks for slow requests only every 30 seconds by default.
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 2_000 },
    trustProxy: (_address, hop) => hop < deps.trustedProxies,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
    rewriteUrl: ({ url = '/' }) => plainPath(url),
    schemaController: zodSchemas,
    // Hooks don't run for an URL that cannot be parsed, so set the headers here.
    frameworkErrors: (error, request, reply) => sendError(error, request, reply.headers(BARE_HEADERS)),
  }).withTypeProvider<ZodTypeProvider>()

  const { publicUrl } = deps.resetMail
  const agentHosts = { publicUrl, readHosts: () => selectHosts(db) }
  const findAgentShop = openHostFinder(agentHosts)
  const requests = memoryBuckets()
  /** Counts a request of the realtime channel with the open reads from its address. */
  const mayAsk = (address: string) => {
    const bucket = handshakesFrom(address)
    if (requests.left(bucket, now()).attempts === 0) return false
    void requests.settle({ ...bucket, cost: 1 }, now())
    return true
  }
  const realtime = openRealtime({
    server: app.server,
    isOpenAt: async (request) => (await findAgentShop(request)) === null,
    log,
    shared: deps.sharedDatabase ? db : undefined,
    limits: deps.rateLimits && deps.socketLimits ? { ...deps.socketLimits, trustedProxies: deps.trustedProxies, mayAsk } : undefined,
    authenticate: async (token) => {
      const actor = await findActor(db, token, now())
      return actor && { id: actor.id, roles: actor.roles, sessionHash: actor.sessionHash }
    },
  })
  begun.push(realtime.close)
  const jobs = await openJobQueue({ db: deps.jobsDb, log, queues: queueRules(deps.timings), timings: deps.timings.jobs })
  const webhookGateway =
    deps.webhookGateway ?? openWebhookGateway({ allowPrivate: deps.onlyThisMachine ?? false, timeoutMs: deps.timings.webhooks.timeoutMs })
  const vault = deps.vault ?? null
  const afa = deps.afa ?? { keepDays: 30, foreignCards: false }
  const afaRules = { ...afa, secretsKey: deps.secretsKey ?? null, mustEncrypt: shop.mode === 'live' }
  const background = await openBackground({
    ...deps,
    afaKeepDays: afa.keepDays,
    disk: deps.disk ?? null,
    webhookGateway,
    secretsKey: deps.secretsKey ?? null,
    vault,
    realtime,
    jobs,
  })
  begun.push(background.stop)
  app.addHook('preClose', async () => {
    // Browsers keep idle connections open, which would delay shutdown.
    const hangUp = setInterval(() => app.server.closeIdleConnections(), HANG_UP_EVERY_MS)
    await Promise.all([background.stop(), realtime.close()]).finally(() => clearInterval(hangUp))
  })

  answerInTurn(app, { now: deps.rateLimits && deps.trustedProxies === 0 ? now : undefined })
  limitSlowSockets(app)
  noteMethods(app)
  registerErrorReplies(app)
  registerJsonBodies(app)
  countRequests(app)
  registerContext(app, { db, realtime, jobs, now })
  if (deps.smsGateway.sender === null) shop.noSms = true
  const live = openLiveShop(db, shop)
  await live.refresh()
  const keepShop = startLoop({ name: 'shop as the owner has it', everyMs: SHOP_REFRESH_MS, log, work: live.refresh })
  app.addHook('preClose', keepShop.stop)
  begun.push(keepShop.stop)
  // Without Fastify's plugin, which puts the headers together anew for each request.
  const addSecurityHeaders = helmet(securityHeaders(shop, deps.webRoot ? await readStyleSources(deps.webRoot) : []))
  app.addHook('onRequest', (request, reply, done) => addSecurityHeaders(request.raw, reply.raw, done as () => void))
  const callers = deps.rateLimits ? limitRequests(app, now, requests) : null
  if (callers) limitBodies(app, callers)
  const work = callers ? limitWork(app, { openReadsAtOnce: Math.ceil(db.options.max / 2) }, callers) : null
  limitAgentHosts(app, agentHosts)
  if (deps.apiDocs !== false) await registerOpenApi(app, shop.name)
  registerHealth(app, db, deps.disk ?? null)
  app.addHook('onRequest', async (request) => {
    if (deps.isDatabaseAlive?.() === false && /^\/(api|v1|images)\//.test(request.url)) throw new ServiceUnavailable()
  })

  const readFigures = openFigures()
  await app.register(
    async (api) => {
      registerAccess(api, (token) => findActor(db, token, now()))
      requireShares(api)
      const limiter = openRateLimiter(deps.rateLimits ? databaseBuckets(db) : null, now)
      limitRate(api, deps.rateLimits ? limiter : null, { now, hasPaidIn: (browser) => hasPaidIn(db, browser) })
      api.addHook('onSend', async (_request, reply) => {
        if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store')
        // Data loads nothing, and the policy of pages is three times as long.
        if (String(reply.getHeader('content-type')).startsWith('application/json'))
          void reply.header('content-security-policy', BARE_HEADERS['content-security-policy'])
      })
      const typed = api.withTypeProvider<ZodTypeProvider>()
      for (const routes of [
        productRoutes,
        priceRoutes,
        orderRoutes,
        batchRoutes,
        reportRoutes,
        walletRoutes,
        contactRoutes,
        apiKeyRoutes,
        costRoutes,
        profitRoutes,
        noticeRoutes,
        adminActionRoutes,
        customerRoutes,
        bookRoutes,
      ]) {
        routes(typed)
      }
      trackerRoutes(typed, { limiter, sms: deps.smsGateway })
      checkerRoutes(typed, { vault, sms: deps.smsGateway, mails: deps.resetMail.mailer.isOff ? null : deps.resetMail, limiter })
      insightRoutes(typed)
      inboxRoutes(typed, shop, deps.disk ?? null)
      newsRoutes(typed, deps.smsGateway.sender !== null)
      statsRoutes(typed, readFigures)
      rechargeRoutes(typed, limiter)
      receivedPaymentRoutes(typed, { formats: deps.messageFormats, limiter, wake: background.credits.wake })
      messageFormatRoutes(typed, deps.messageFormats ?? [])
      forwarderRoutes(typed, {
        limiter,
        secretsKey: deps.secretsKey ?? null,
        formats: deps.messageFormats ?? [],
        wake: background.credits.wake,
      })
      const devices = openDeviceCookies(publicUrl)
      userRoutes(typed, { claimUpgrade: (ctx) => claimUpgrade(ctx, deps.gateway) })
      staffRoutes(typed)
      const checks = { limiter, secretsKey: deps.secretsKey ?? null }
      accountRoutes(typed, { checks, passwords })
      numberRoutes(typed, { sms: deps.smsGateway, limiter })
      authRoutes(typed, {
        checks,
        devices,
        onResetRequest: background.mails.wake,
        passwords,
        claims: { takeOver: takeOverNumber, confirm: confirmTakenNumber },
      })
      checkoutRoutes(typed, {
        gateway: deps.gateway,
        cards: limiter,
        limiter: openCheckoutLimiter((deps.rateLimits && deps.checkoutLimits) || null, now),
        onOrders: background.relay.wake,
      })
      channelRoutes(typed, { shop })
      ussdRoutes(typed, {
        limiter,
        secretsKey: deps.secretsKey ?? null,
        shop,
        publicUrl,
        sandboxSecret: deps.ussdSandboxSecret ?? null,
        onOrders: background.relay.wake,
      })
      transactionPinRoutes(typed, { checks, sms: deps.smsGateway })
      referralRoutes(typed)
      webhookRoutes(typed, { gateway: webhookGateway, secretsKey: deps.secretsKey ?? null })
      bulkRoutes(typed, { shop, onOrders: background.relay.wake })
      refundRoutes(typed, { gateway: deps.gateway, sms: deps.smsGateway, wake: background.payments.wake })
      const wrongSignatures = openRateLimiter(deps.rateLimits ? memoryBuckets() : null, now)
      whatsappRoutes(typed, {
        gateway: deps.whatsappGateway,
        limiter,
        wrongSignatures,
        secretsKey: deps.secretsKey ?? null,
        shop,
        publicUrl,
        onOrders: background.relay.wake,
      })
      withdrawalRoutes(typed, { gateway: deps.gateway, sms: deps.smsGateway, wake: background.payments.wake })
      paymentRoutes(typed, {
        gateway: deps.gateway,
        onWebhook: background.payments.wake,
        wrongSignatures,
        creditsByItself: selectByItself,
      })
      agentShopRoutes(typed, { gateway: deps.gateway, sms: deps.smsGateway, shop, publicUrl, afa: afaRules })
      afaRoutes(typed, { rules: afaRules, shop, limiter })
      subAgentRoutes(typed)
      const { suppliers } = deps.supplierGateway
      settingsRoutes(typed, suppliers)
      supplierRoutes(typed, suppliers)
      deliveryRoutes(typed, deps.supplierGateway, deps.smsGateway)
      floatRoutes(typed, {
        suppliers,
        sms: deps.smsGateway,
        get hours() {
          return shop.hours
        },
      })
      jobRoutes(typed, suppliers)
      exportRoutes(typed, shop)
      dayCloseRoutes(typed, shop)
      shopRoutes(typed, live, { sms: deps.smsGateway.sender !== null, supplier: suppliers.size > 0 })
      api.all('/*', { config: { access: 'anyone' }, schema: { hide: true } }, sendNothingHere)
    },
    { prefix: '/api' },
  )
  await app.register(
    async (api) =>
      developerApiRoutes(api.withTypeProvider<ZodTypeProvider>(), {
        limited: deps.rateLimits,
        cards: openRateLimiter(deps.rateLimits ? databaseBuckets(db) : null, now),
        onOrders: background.relay.wake,
        timings: deps.timings.testOrders,
        shopName: shop.name,
        vault,
        afa: afaRules,
        publicUrl,
      }),
    { prefix: '/v1' },
  )
  imageRoutes(app.withTypeProvider<ZodTypeProvider>())
  shopPictureRoutes(app.withTypeProvider<ZodTypeProvider>(), { publicUrl })
  if (deps.webRoot) {
    const readShelf = { readProducts: () => readCatalogue(db), readFigures: () => readFigures(db, now()) }
    const readAgentShop = (slug: string, ownHost: boolean) => readShopPage(db, { slug, house: publicUrl(), ownHost })
    const readFace = (reference: string) => readFaceOfOrder(db, reference)
    await registerWebApp(app, { root: deps.webRoot, shop, ...readShelf, readAgentShop, readFaceOfOrder: readFace })
  } else app.setNotFoundHandler(sendNothingHere)

  return Object.assign(app, { realtime, background, requestsWaiting: () => work?.waiting() ?? 0 }) as unknown as App
}

/** To Chrome before 67 and Safari before 15.4, 'self' does not stand for WebSockets. Others are spared the bytes. */
function ownSockets({ mode }: Shop, { host = '', 'user-agent': browser = '' }: IncomingHttpHeaders): string {
  const isOld = /Chrome\/6[0-6]\.|Version\/1[45]\.[\d.]+ .*Safari/.test(browser)
  return isOld && /^[\w.-]+(?::\d+)?$/.test(host) ? `'self' ${mode === 'live' ? 'wss' : 'ws'}://${host}` : "'self'"
}

function securityHeaders(shop: Shop, styleSources: string[]) {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", EARLY_SCRIPT_SOURCE],
        // Each colour that the owner may choose is one style, known beforehand.
        styleSrc: [() => ownStyles(shop.brand ?? USUAL_BRAND), ...styleSources],
        imgSrc: ["'self'", 'data:'],
        connectSrc: [({ headers }: IncomingMessage) => ownSockets(shop, headers)],
        frameSrc: ["'self'", 'https://checkout.paystack.com'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    frameguard: { action: 'deny' as const },
    referrerPolicy: { policy: 'no-referrer' as const },
    hsts: shop.mode === 'live' ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    // The card provider's pop-up is an iframe from another origin that sends no CORP header.
    crossOriginEmbedderPolicy: false,
  }
}
