import { existsSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { openSandbox } from '../sandbox/open-sandbox.ts'
import { hasRole } from '../shared/staff-rules.ts'
import { buildApp } from './app.ts'
import { ensureSampleCatalogue } from './features/catalogue/products/ensure-sample-catalogue.ts'
import { readShop } from './features/office/stats/read-shop.ts'
import { ensureNoSamples } from './features/orders/checkers/ensure-no-samples.ts'
import { ensureSampleStock } from './features/orders/checkers/ensure-sample-stock.ts'
import { ensureVault } from './features/orders/checkers/ensure-vault.ts'
import { ensureFirstAdmin, type FirstAdmin } from './features/people/auth/ensure-first-admin.ts'
import { ensureSecondFactorRule } from './features/people/second-factor/second-factor.sql.ts'
import { findActor } from './features/people/sessions/find-actor.ts'
import { chooseOutside } from './outside.ts'
import { checkDatabase, databaseSettings } from './platform/check-database.ts'
import { type Config, ConfigError } from './platform/config.ts'
import { watchDatabase } from './platform/database-health.ts'
import { type Db, openPool } from './platform/db.ts'
import { watchDiskSpace } from './platform/disk-space.ts'
import { findUnsafeSettings } from './platform/durability.ts'
import type { EmbeddedPostgres } from './platform/embedded-postgres.ts'
import type { Log } from './platform/log.ts'
import { openMetrics } from './platform/metrics.ts'
import { prepareDatabase } from './platform/prepare-database.ts'
import { sealSecretsAnew } from './platform/seal-secrets-anew.ts'
import { openVault } from './platform/vault.ts'

const WEB_ROOT = fileURLToPath(new URL('../dist/web', import.meta.url))
/** Connections for the job queue, besides those for requests. */
const JOB_CONNECTIONS = 3

/**
 * Prepares the database, opens what the shop needs and listens. `embedded`: the shop's own database, if it has one. What is
 * to be closed at shutdown is put in front of `closers` as it opens, so that a start that fails half-way can be undone.
 * @throws MigrationError, ConfigError when a port cannot be had, also when the database can't be had or a live shop must not run on it.
 */
export async function openShop({
  config,
  log,
  embedded,
  closers,
}: {
  config: Config
  log: Log
  embedded: EmbeddedPostgres | null
  closers: (() => Promise<unknown>)[]
}): Promise<{ address: string; firstAdmin: FirstAdmin | null }> {
  const ownerUrl = embedded?.url() ?? config.databaseMigrationUrl ?? (config.databaseUrl as string)
  const appUrl = config.databaseMigrationUrl === undefined ? undefined : config.databaseUrl
  let port = config.port
  const publicUrl = () => config.publicUrl ?? `http://${config.host === '127.0.0.1' ? 'localhost' : config.host}:${port}`
  // It needs no database, and this process would only wait for that meanwhile.
  const openingSandbox = config.mode === 'sandbox' ? openSandbox({ dataDir: config.dataDir, shopUrl: publicUrl, log }) : null
  closers.unshift(async () => (await openingSandbox?.catch(() => null))?.close())
  if (!embedded) await checkDatabase(databaseSettings(config))
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
  await sealAnew(db, config, log)
  await ensureSecondFactorRule(db, config.shop.mode === 'live')
  const firstAdmin = await ensureFirstAdmin(db, config.firstAdmin, config.passwords, new Date())

  const sandbox = await openingSandbox
  const outside = chooseOutside(config, publicUrl, sandbox, db)
  closers.unshift(async () => outside.close())
  // Which jobs are taken or done: one that is taken again after a crash must be safe to repeat in any case.
  const jobsDb = openPool({ url, size: JOB_CONNECTIONS, log, name: 'dwadi-jobs', isRepeatable: true, socket: databaseHealth.socket })
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
    onlyThisMachine: config.mode === 'sandbox' && !config.publicSandbox,
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
  await app.listen({ host: config.host, port }).catch(refusePort('PORT', port, config.host))
  port = (app.server.address() as AddressInfo).port
  if (config.metrics) {
    const { connected: sockets } = app.realtime
    const opening = openMetrics({ ...config.metrics, log, db, disk, sockets, requestsWaiting: app.requestsWaiting, read: readShop })
    const metrics = await opening.catch(refusePort('METRICS_PORT', config.metrics.port))
    closers.unshift(() => metrics.close())
    log.info({ port: metrics.port }, 'serving metrics')
  }
  return { address: publicUrl(), firstAdmin }
}

/** Under the present SECRETS_KEY, and says so when what was encrypted before can't be read with it. */
async function sealAnew(db: Db, { secretsKey }: Config, log: Log) {
  const { changed, closed } = await sealSecretsAnew(db, secretsKey)
  if (changed > 0) log.info({ changed }, 'secrets encrypted anew under SECRETS_KEY')
  if (closed > 0)
    log.error(
      { closed },
      'SECRETS_KEY: secrets in the database are encrypted with another key. Put that one into SECRETS_PREVIOUS_KEY and start again. ' +
        'If it is lost, staff sign in with recovery codes, and customers choose a new PIN.',
    )
}

/** @throws ConfigError naming the setting when the port cannot be had; whatever else went wrong as it is. */
function refusePort(setting: string, port: number, host = ''): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (host && ['EADDRNOTAVAIL', 'ENOTFOUND'].includes(error.code ?? ''))
      throw new ConfigError([`HOST: this machine has no address ${host}. Use 127.0.0.1 behind a proxy, or 0.0.0.0 in a container.`])
    const why = { EADDRINUSE: 'is in use by another program', EACCES: 'is for the system alone' }[error.code ?? '']
    if (why === undefined) throw error
    throw new ConfigError([`${setting}: ${port} ${why}. Choose another port.`])
  }
}

/** Refuses to start a live shop on a database that could lose confirmed sales. */
async function refuseUnsafeDatabase(db: Db, config: Config, log: Log) {
  const unsafe = await findUnsafeSettings(db)
  if (unsafe.length === 0) return
  const message = `The database may lose confirmed sales: ${unsafe.join(', ')}. Turn these settings on.`
  if (config.mode === 'live') throw new ConfigError([message])
  log.warn(message)
}
