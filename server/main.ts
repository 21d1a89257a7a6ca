import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { openSandbox } from '../sandbox/open-sandbox.ts'
import { hasRole } from '../shared/staff-rules.ts'
import { buildApp } from './app.ts'
import { ensureFirstAdmin } from './features/auth/ensure-first-admin.ts'
import { ensureNoSamples } from './features/checkers/ensure-no-samples.ts'
import { ensureSampleStock } from './features/checkers/ensure-sample-stock.ts'
import { ensureVault } from './features/checkers/ensure-vault.ts'
import { ensureSampleCatalogue } from './features/products/ensure-sample-catalogue.ts'
import { ensureSecondFactorRule } from './features/second-factor/second-factor.sql.ts'
import { findActor } from './features/sessions/find-actor.ts'
import { readShop } from './features/stats/read-shop.ts'
import { chooseOutside } from './outside.ts'
import { type Config, ConfigError, readConfig } from './platform/config.ts'
import { watchDatabase } from './platform/database-health.ts'
import { type Db, openPool } from './platform/db.ts'
import { watchDiskSpace } from './platform/disk-space.ts'
import { findUnsafeSettings } from './platform/durability.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './platform/embedded-postgres.ts'
import { createLog, type Log } from './platform/log.ts'
import { openMetrics } from './platform/metrics.ts'
import { MigrationError } from './platform/migrate.ts'
import { prepareDatabase } from './platform/prepare-database.ts'
import { openVault } from './platform/vault.ts'

const WEB_ROOT = fileURLToPath(new URL('../dist/web', import.meta.url))
/**
 * After this, work still under way is cut off by stopping the embedded database, which rolls back open transactions. With
 * another database, `lock_timeout` ends statements that wait for a lock.
 */
const CUT_OFF_AFTER_MS = 8_000
/** After this the process exits regardless, before a supervisor kills it. */
const SHUT_DOWN_WITHIN_MS = 10_000
/** Connections for the job queue, besides those for requests. */
const JOB_CONNECTIONS = 3

await main()

async function main() {
  const config = readConfigOrExit()
  const log = createLog(config.logLevel)
  for (const warning of config.warnings) log.warn(warning)
  const closers: (() => Promise<unknown>)[] = []
  let embedded: EmbeddedPostgres | null = null
  const shutDown = onShutDown(log, closers, () => embedded?.stop())

  try {
    embedded = config.databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir: config.dataDir, log }) : null
    if (embedded) closers.unshift(embedded.stop)
    const ownerUrl = embedded?.url() ?? config.databaseMigrationUrl ?? (config.databaseUrl as string)
    const appUrl = config.databaseMigrationUrl === undefined ? undefined : config.databaseUrl
    const { url, warning, migrated } = await prepareDatabase({ ownerUrl, appUrl, log })
    if (migrated.length > 0) log.info({ migrated }, 'database migrated')
    if (warning) log.warn(warning)
    const databaseHealth = watchDatabase({ url, log })
    const db = openPool({ url, size: config.databasePoolSize, log, name: 'dwadi', socket: databaseHealth.socket })
    closers.unshift(() => db.end())
    closers.unshift(() => databaseHealth.stop())
    await refuseUnsafeDatabase(db, config, log)

    const stocked = config.mode === 'sandbox' && (await ensureSampleCatalogue(db, new Date()))
    const vault = config.checkersKey === null ? null : openVault({ key: config.checkersKey, previousKey: config.checkersPreviousKey })
    if (config.mode === 'live') await ensureNoSamples(db, new Date())
    await ensureVault(db, vault)
    if (stocked) {
      await ensureSampleStock(db, vault, new Date())
      log.info('sample catalogue added')
    }
    await ensureSecondFactorRule(db, config.shop.mode === 'live')
    const firstAdmin = await ensureFirstAdmin(db, config.firstAdmin, config.passwords, new Date())

    let port = config.port
    const publicUrl = () => config.publicUrl ?? `http://${config.host === '127.0.0.1' ? 'localhost' : config.host}:${port}`
    const sandbox = config.mode === 'sandbox' ? await openSandbox({ dataDir: config.dataDir, shopUrl: publicUrl, log }) : null
    if (sandbox) closers.unshift(() => sandbox.close())
    const outside = chooseOutside(config, publicUrl, sandbox, db)
    closers.unshift(async () => outside.close())
    const jobsDb = openPool({ url, size: JOB_CONNECTIONS, log, name: 'dwadi-jobs', socket: databaseHealth.socket })
    closers.unshift(() => jobsDb.end())

    const disk = embedded ? await watchDiskSpace({ folder: config.dataDir, lowMb: config.diskLowMb, log }) : null
    if (disk) closers.unshift(async () => disk.stop())
    await databaseHealth.begun
    const app = await buildApp({
      db,
      log,
      shop: config.shop,
      now: databaseHealth.now,
      sharedDatabase: embedded === null,
      rateLimits: config.rateLimits,
      passwords: config.passwords,
      secretsKey: config.secretsKey,
      afa: config.afa,
      vault,
      messageFormats: config.messageFormats,
      apiDocs: config.apiDocs,
      socketLimits: config.socketLimits,
      checkoutLimits: config.checkoutLimits,
      trustedProxies: config.trustedProxies,
      gateway: outside.gateway,
      resetMail: outside.resetMail,
      supplierGateway: outside.supplierGateway,
      smsGateway: outside.smsGateway,
      whatsappGateway: outside.whatsappGateway,
      jobsDb,
      ussdSandboxSecret: sandbox?.ussd.secret ?? null,
      timings: config.timings,
      isDatabaseAlive: databaseHealth.isAlive,
      disk,
      webRoot: existsSync(WEB_ROOT) ? WEB_ROOT : null,
    })
    closers.unshift(() => app.close())
    // The outbox holds password mails, which would make anybody an owner.
    const isAdmin = async (token: string) => hasRole((await findActor(db, token, databaseHealth.now())) ?? {}, 'owner')
    await sandbox?.routes(app, { exposed: config.publicSandbox, isAdmin })
    await app.listen({ host: config.host, port })
    port = (app.server.address() as AddressInfo).port
    if (config.metrics) {
      const metrics = await openMetrics({ ...config.metrics, log, db, disk, sockets: app.realtime.connected, read: readShop })
      closers.unshift(() => metrics.close())
      log.info({ port: metrics.port }, 'serving metrics')
    }

    printWelcome(publicUrl(), config, firstAdmin)
  } catch (error) {
    if (error instanceof ConfigError || error instanceof MigrationError) console.error(error.message)
    else log.fatal({ err: error }, 'the server could not start')
    process.exitCode = 1
    await shutDown()
  }
}

/** Refuses to start a live shop on a database that could lose confirmed sales. */
async function refuseUnsafeDatabase(db: Db, config: Config, log: Log) {
  const unsafe = await findUnsafeSettings(db)
  if (unsafe.length === 0) return
  const message = `The database may lose confirmed sales: ${unsafe.join(', ')}. Turn these settings on.`
  if (config.mode === 'live') throw new Error(message)
  log.warn(message)
}

function readConfigOrExit() {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

/** Stops accepting requests, finishes those under way, then closes resources, newest first. */
function onShutDown(log: Log, closers: (() => Promise<unknown>)[], stopDatabase: () => Promise<void> | undefined) {
  let closing: Promise<void> | undefined
  const shutDown = () => {
    closing ??= (async () => {
      const end = () => process.exit(process.exitCode ?? 1)
      setTimeout(end, SHUT_DOWN_WITHIN_MS).unref()
      setTimeout(() => {
        const stopped = stopDatabase()
        if (!stopped) return
        log.warn('shutdown is taking too long; cutting off work still under way')
        void stopped.then(end, end)
      }, CUT_OFF_AFTER_MS).unref()
      for (const close of closers) {
        await close().catch((error: unknown) => log.error({ err: error }, 'a resource did not close cleanly'))
      }
    })()
    return closing
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      log.info({ signal }, 'shutting down')
      void shutDown().then(() => process.exit(process.exitCode ?? 0))
    })
  }
  return shutDown
}

function printWelcome(address: string, config: ReturnType<typeof readConfig>, firstAdmin: Awaited<ReturnType<typeof ensureFirstAdmin>>) {
  const lines = ['', `  ${config.shop.name} is open at ${address}`]
  if (config.mode === 'sandbox') lines.push('  Sandbox: no real money moves. LOG_LEVEL=info shows every request.')
  if (config.publicSandbox) lines.push('  Others can reach it: /sandbox opens for the signed-in admin alone.')
  if (firstAdmin) {
    lines.push('', '  Sign in as the first admin:', `    phone     ${firstAdmin.phone}`)
    lines.push(`    password  ${firstAdmin.madeUpPassword ?? 'the one in ADMIN_PASSWORD'}`)
    if (firstAdmin.madeUpPassword) lines.push('  Write the password down: it is shown only once.')
  }
  console.log(`${lines.join('\n')}\n`)
}
