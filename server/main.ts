import type { FirstAdmin } from './features/people/auth/ensure-first-admin.ts'
import { type Config, ConfigError, readConfig } from './platform/config.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './platform/embedded-postgres.ts'
import { createLog, type Log } from './platform/log.ts'
import { MigrationError } from './platform/migrate.ts'

/**
 * After this, work still under way is cut off by stopping the embedded database, which rolls back open transactions. With
 * another database, `lock_timeout` ends statements that wait for a lock.
 */
const CUT_OFF_AFTER_MS = 8_000
/** After this the process exits regardless, before a supervisor kills it. */
const SHUT_DOWN_WITHIN_MS = 10_000

await main()

async function main() {
  const config = readConfigOrExit()
  const log = createLog(config.logLevel)
  for (const warning of config.warnings) log.warn(warning)
  const closers: (() => Promise<unknown>)[] = []
  let embedded: EmbeddedPostgres | null = null
  const shutDown = onShutDown(log, closers, () => embedded?.stop())

  try {
    embedded = config.databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir: config.dataDir, log, meanwhile: readShop }) : null
    if (embedded) closers.unshift(embedded.stop)
    const { openShop } = await import('./open-shop.ts')
    const { address, firstAdmin } = await openShop({ config, log, embedded, closers })
    printWelcome(address, config, firstAdmin)
  } catch (error) {
    if (error instanceof ConfigError || error instanceof MigrationError) console.error(error.message)
    else log.fatal({ err: error }, 'the server could not start')
    // Whatever waited for it has only seen its connection break.
    const reason = await embedded?.whyItEnded()
    if (reason) console.error(`The database in ${config.dataDir} ended: ${reason}. Its log is postgres.log there.`)
    process.exitCode = 1
    await shutDown()
  }
}

/** Reading the shop's code takes as long as starting the database, and nothing else happens here meanwhile: the database goes first. */
function readShop() {
  import('./open-shop.ts').catch(() => undefined)
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

function printWelcome(address: string, config: Config, firstAdmin: FirstAdmin | null) {
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
