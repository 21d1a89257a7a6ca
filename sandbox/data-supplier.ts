import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import type { Warn } from './keep-file.ts'
import { logCalls, type ServiceCall } from './log-calls.ts'
import { NO_SCHEMAS } from './no-schemas.ts'
import { type PresentedDelivery, presentDelivery, registerSupplierControl, type SupplierControlDeps } from './supplier/control.ts'
import { openDeliveries, type SupplierSettings, type Tally } from './supplier/deliveries.ts'
import { queueSupplierFaults, type SupplierFaultInput } from './supplier/faults.ts'
import { limitCalls } from './supplier/limit-calls.ts'
import { type Delivering, playNetworks } from './supplier/networks.ts'
import type { SupplierProtocol } from './supplier/protocol.ts'
import { sendSupplierWebhooks } from './supplier/webhooks.ts'

const WEBHOOK_TIMEOUT_MS = 10_000

export type DataSupplierSettings = {
  protocol: SupplierProtocol
  /** The folder for deliveries. */
  folder: string
  key: string
  log: Warn
  /** The clock for dates of deliveries. Delays use the real clock. */
  now?: () => Date
  /** The webhook address when neither the order nor the settings have one. */
  webhookUrl?: (() => string | null | Promise<string | null>) | undefined
  /** Initial settings; they override stored ones. */
  wanted?: Partial<SupplierSettings> | undefined
}

export type DataSupplierSimulator = {
  baseUrl: string
  key: string
  /** Newest first. */
  deliveries(): PresentedDelivery[]
  /** Counts of deliveries and duplicates. */
  tally(): Tally
  settings(): SupplierSettings
  change(changes: Partial<SupplierSettings>): Promise<SupplierSettings>
  addFault(fault: SupplierFaultInput): void
  clearFaults(): void
  /** Calls received, newest first. */
  calls(): ServiceCall[]
  /** For the routes mounted by the shop. */
  control: SupplierControlDeps
  close(): Promise<void>
} & Pick<Delivering, 'setState' | 'notifyAgain'>

/**
 * Simulates a data supplier: an HTTP server on a free loopback port that speaks the supplier's API, stores its deliveries in
 * a folder, and sends its webhook events to the shop.
 */
export async function startDataSupplier(settings: DataSupplierSettings): Promise<DataSupplierSimulator> {
  const { protocol, folder, key, log, now = () => new Date(), webhookUrl = () => null, wanted = {} } = settings
  const deliveries = await openDeliveries(folder, { name: protocol.name, now, log, usual: protocol.usual, wanted })
  const faults = queueSupplierFaults()
  const webhooks = sendSupplierWebhooks(deliveries, faults, {
    write: protocol.writeWebhook,
    usualUrl: () => deliveries.settings.webhookUrl ?? webhookUrl(),
    timeoutMs: WEBHOOK_TIMEOUT_MS,
    log,
  })
  const delivering = playNetworks(deliveries, faults, webhooks, { log })
  const limit = limitCalls(() => deliveries.settings.callsPerMinute)

  const closing = new AbortController()
  const app = Fastify({ schemaController: NO_SCHEMAS, forceCloseConnections: true, bodyLimit: 1024 * 1024 })
  const control = { deliveries, delivering, faults, calls: logCalls(app, now) }
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
    reply.code(error.statusCode ?? 500).send({ status: false, message: error.message }),
  )
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ status: false, message: 'Resource not found' }))
  protocol.registerCalls(app, { key, deliveries, delivering, faults, limit, closing: closing.signal })
  await app.register(async (scope) => {
    registerSupplierControl(scope, '/_control', control)
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  webhooks.resume()
  delivering.resume()

  return {
    baseUrl: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}${protocol.path}`,
    key,
    deliveries: () => deliveries.list().map(presentDelivery),
    tally: () => deliveries.tally(),
    settings: () => ({ ...deliveries.settings }),
    change: (changes) => deliveries.change(changes),
    addFault: faults.add,
    clearFaults: faults.clear,
    calls: control.calls,
    control,
    setState: (reference, change) => delivering.setState(reference, change),
    notifyAgain: (reference) => delivering.notifyAgain(reference),
    async close() {
      closing.abort()
      delivering.close()
      await webhooks.close()
      await app.close()
      await deliveries.save()
    },
  }
}
