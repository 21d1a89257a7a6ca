import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type CardProvider, startCardProvider } from './card-provider.ts'
import type { Warn } from './keep-file.ts'
import { type Mailbox, openMailbox } from './mailbox.ts'
import { sandboxRoutes } from './routes.ts'

export type SandboxSettings = {
  dataDir: string
  /** The shop's own address, asked for each time that it is needed, since it may not be listening yet. */
  shopUrl: () => string
  log: Warn
  now?: () => Date
  webhookRetryDelaysMs?: readonly number[]
}

export type Sandbox = {
  cardProvider: CardProvider
  mail: Mailbox
  /** Mounts `/sandbox` and `/api/sandbox` on the shop's app, before it listens. */
  routes(app: FastifyInstance): Promise<void>
  close(): Promise<void>
}

/** Starts the outside world in miniature: simulators that speak the real services' wire protocol. */
export async function openSandbox({ dataDir, shopUrl, log, ...settings }: SandboxSettings): Promise<Sandbox> {
  const mail = await openMailbox(settings.now ? { now: settings.now } : {})
  const cardProvider = await startCardProvider({ folder: join(dataDir, 'sandbox'), shopUrl, log, ...settings })
  return {
    cardProvider,
    mail,
    async routes(app) {
      await app.register(async (scope) => sandboxRoutes(scope, { cardProvider, mailbox: mail }))
    },
    async close() {
      await Promise.all([cardProvider.close(), mail.close()])
    },
  }
}
