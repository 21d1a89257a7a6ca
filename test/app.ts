import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSandbox, type Sandbox } from '../sandbox/open-sandbox.ts'
import { type App, buildApp } from '../server/app.ts'
import { ensureSampleCatalogue } from '../server/features/catalogue/products/ensure-sample-catalogue.ts'
import type { WebhookGateway } from '../server/integrations/webhooks/webhook-gateway.ts'
import { chooseOutside } from '../server/outside.ts'
import { readConfig } from '../server/platform/config.ts'
import { openPool } from '../server/platform/db.ts'
import { createLog, type Log } from '../server/platform/log.ts'
import type { Timings } from '../server/platform/timings.ts'
import { openVault } from '../server/platform/vault.ts'
import { checkReplies } from './check-replies.ts'
import { openTestDatabase, type TestDatabase } from './database.ts'
import { allow } from './slowness.ts'
import { CATALOGUE_TIME } from './template-databases.ts'

/** The clock of a test: only the test moves it. */
export type Clock = { now: Date; advance(ms: number): void }

export type TestShop = {
  app: App
  /** The simulators of the outside world, when the shop was opened with them. */
  sandbox: Sandbox | null
  /** Where the app listens, when it was opened with the sandbox, which sends webhook events over HTTP. */
  url: string
  database: TestDatabase
  clock: Clock
  close(): Promise<void>
}

/** Instead of the three seconds after which the shop calls itself too busy. */
const CONNECT_WITHIN_MS = 120_000

/** A service outside is given up after 0.8 s of a quiet machine: on a busy one an answer may take that long by itself. */
function patient(timings: Timings): Timings {
  const { supplier, sms } = timings
  const timeouts = ({ timeoutMs, callDeadAfterMs }: { timeoutMs: number; callDeadAfterMs: number }) => ({
    timeoutMs: allow(timeoutMs),
    callDeadAfterMs: allow(callDeadAfterMs),
  })
  return { ...timings, supplier: { ...supplier, ...timeouts(supplier) }, sms: { ...sms, ...timeouts(sms) } }
}

/**
 * Nothing answers from outside, and work is woken by what makes it, so nobody needs to look for more of it ten times a
 * second.
 */
function calm(timings: Timings): Timings {
  return {
    ...timings,
    jobs: { ...timings.jobs, pollSeconds: 2, superviseSeconds: 15 },
    reconcileEveryMs: 30_000,
    relayMs: 1_000,
    mailsMs: 1_000,
    webhooks: { ...timings.webhooks, relayMs: 1_000 },
  }
}

/** The real app on a database of its own with the sample catalogue; `call` it through `app.inject`. */
export async function openTestShop({
  rateLimits = false,
  trustedProxies = 0,
  withSandbox = false,
  outsideWorld = {},
  timings = {},
  log = createLog('silent'),
  webhookGateway,
}: {
  rateLimits?: boolean
  trustedProxies?: number
  withSandbox?: boolean
  /** Settings of suppliers and messages, as the environment gives them, for what a test plays by itself. */
  outsideWorld?: Record<string, string | undefined>
  /** Overrides of the short timings of tests. */
  timings?: Partial<Timings>
  /** Nobody reads what is logged unless a test does. */
  log?: Log
  /** How events reach agents' programs, when a test plays one. */
  webhookGateway?: WebhookGateway
} = {}): Promise<TestShop> {
  const database = await openTestDatabase({ catalogue: true })
  const clock: Clock = {
    now: new Date(CATALOGUE_TIME),
    advance(ms) {
      clock.now = new Date(clock.now.getTime() + ms)
    },
  }
  // A no-op unless the template was made without it.
  await ensureSampleCatalogue(database.db, clock.now)
  const settings = readConfig({
    JOB_TIMINGS: 'quick',
    SUPPLIER_CALLS_PER_MINUTE: '100000',
    ...(withSandbox ? {} : { CARD: 'off', MAIL: 'off' }),
    ...outsideWorld,
  })
  const callsOutside = withSandbox || Object.keys(outsideWorld).length > 0 || webhookGateway !== undefined
  const config = {
    ...settings,
    timings: callsOutside ? patient({ ...settings.timings, ...timings }) : { ...calm(settings.timings), ...timings },
  }
  const folder = await mkdtemp(join(tmpdir(), 'dwadi-sandbox-'))
  let url = 'http://shop.test'
  const sandbox = withSandbox
    ? await openSandbox({
        dataDir: folder,
        shopUrl: () => url,
        log,
        webhookRetryDelaysMs: [50, 100],
        supplier: { hubnet: { callsPerMinute: null, deliversAfterMs: null } },
        whatsapp: { now: () => clock.now },
      })
    : null
  const db = openPool({ url: database.appUrl, size: 10, log, name: 'dwadi-test-app' })
  const outside = chooseOutside(config, () => url, sandbox, db)
  const jobsDb = openPool({ url: database.appUrl, size: 3, log, name: 'dwadi-test-jobs', isRepeatable: true })
  // 64 calls at once wait their turn, however busy the machine is.
  for (const pool of [db, jobsDb]) pool.options.connectionTimeoutMillis = CONNECT_WITHIN_MS
  const { app, wrong } = await checkReplies(() =>
    buildApp({
      db,
      log,
      shop: config.shop,
      now: () => clock.now,
      sharedDatabase: false,
      rateLimits,
      passwords: { ...config.passwords, allowGuessable: false },
      secretsKey: 'the key of the secrets of a test',
      vault: openVault({ key: 'the key of the checkers of a test' }),
      socketLimits: config.socketLimits,
      checkoutLimits: config.checkoutLimits,
      trustedProxies,
      gateway: outside.gateway,
      resetMail: outside.resetMail,
      supplierGateway: outside.supplierGateway,
      smsGateway: outside.smsGateway,
      whatsappGateway: outside.whatsappGateway,
      jobsDb,
      ussdSandboxSecret: sandbox?.ussd.secret ?? null,
      ...(webhookGateway && { webhookGateway }),
      timings: config.timings,
      webRoot: null,
    }),
  )
  await sandbox?.routes(app)
  if (sandbox) url = await app.listen({ port: 0, host: '127.0.0.1' })
  else await app.ready()
  return {
    app,
    sandbox,
    url,
    database,
    clock,
    async close() {
      await app.close()
      await Promise.all([db.end(), jobsDb.end()])
      outside.close()
      await sandbox?.close()
      await rm(folder, { recursive: true, force: true })
      await database.close()
      if (wrong.size > 0) throw new Error(`Replies that differ from their declaration:\n${[...wrong].join('\n')}`)
    },
  }
}
