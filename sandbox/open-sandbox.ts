import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type CardProvider, startCardProvider } from './card-provider.ts'
import { type DataSupplierSimulator, startDataSupplier } from './data-supplier.ts'
import type { SandboxAccess } from './gate.ts'
import type { Warn } from './keep-file.ts'
import { readOrMakeServiceKeys } from './keys.ts'
import { type Mailbox, openMailbox } from './mailbox.ts'
import { sandboxRoutes } from './routes.ts'
import type { SmsSettings } from './sms/sent-messages.ts'
import { type SmsServices, startSmsServices } from './sms-services.ts'
import { datamart } from './supplier/datamart.ts'
import type { SupplierSettings } from './supplier/deliveries.ts'
import { hubnet } from './supplier/hubnet.ts'
import type { SupplierName } from './supplier/protocol.ts'
import { reloadly, SIMULATED_CLIENT, SIMULATED_OPERATORS } from './supplier/reloadly.ts'
import { remadata } from './supplier/remadata.ts'
import { openUssdPhones, type UssdPhones } from './ussd/phones.ts'
import { startWhatsappService, type WhatsappService } from './whatsapp-service.ts'

export type SandboxSettings = {
  dataDir: string
  /** The shop's own address, asked for each time that it is needed, since it may not be listening yet. */
  shopUrl: () => string
  log: Warn
  now?: () => Date
  webhookRetryDelaysMs?: readonly number[]
  /** Where the supplier's webhook events go when an order names no address; null: nowhere. */
  supplierWebhookUrl?: () => string | null | Promise<string | null>
  /** Settings at the start; the others are as they were left. */
  supplier?: Partial<Record<SupplierName, Partial<SupplierSettings>>>
  sms?: Partial<SmsSettings>
  /** The clock of WhatsApp alone, whose messages are too old after minutes. */
  whatsapp?: { now: () => Date }
}

export type Sandbox = {
  cardProvider: CardProvider
  mail: Mailbox
  /** The suppliers; the address and key beside them are those of the first, which a shop uses unless it is told otherwise. */
  supplier: Record<SupplierName, DataSupplierSimulator> & { baseUrl: string; key: string }
  /** What an account at the simulated supplier of airtime is told besides its key. */
  airtime: { clientId: string; operatorIds: typeof SIMULATED_OPERATORS }
  /** Both services; the address and key beside them are those of the first, in the same way. */
  sms: SmsServices & { baseUrl: string; apiKey: string }
  /** Phones that dial the shop's code, and the secret that their gateway knows. */
  ussd: UssdPhones & { secret: string }
  whatsapp: WhatsappService
  /** Mounts `/sandbox` and `/api/sandbox` on the shop's app, before it listens. Without `access`, for this machine alone. */
  routes(app: FastifyInstance, access?: Pick<SandboxAccess, 'exposed' | 'isAdmin'>): Promise<void>
  close(): Promise<void>
}

/** Starts the simulators of the outside services, which speak their real protocols. */
export async function openSandbox({ dataDir, shopUrl, log, now = () => new Date(), ...settings }: SandboxSettings): Promise<Sandbox> {
  const folder = join(dataDir, 'sandbox')
  const { webhookRetryDelaysMs, supplierWebhookUrl: webhookUrl } = settings
  const keys = await readOrMakeServiceKeys(folder, log)
  const startSupplier = (protocol: typeof hubnet) =>
    startDataSupplier({ protocol, folder, key: keys[protocol.name], log, now, webhookUrl, wanted: settings.supplier?.[protocol.name] })

  const mail = await openMailbox({ now })
  const cardProvider = await startCardProvider({ folder, shopUrl, log, now, ...(webhookRetryDelaysMs ? { webhookRetryDelaysMs } : {}) })
  const first = await startSupplier(hubnet)
  const others = {
    remadata: await startSupplier(remadata),
    datamart: await startSupplier(datamart),
    reloadly: await startSupplier(reloadly),
  }
  const supplier = { hubnet: first, ...others, baseUrl: first.baseUrl, key: first.key }
  const services = await startSmsServices({ arkeselKey: keys.arkesel, mnotifyKey: keys.mnotify, now, wanted: settings.sms })
  const sms = { ...services, ...services.arkesel }
  const ussd = { ...openUssdPhones({ url: () => `${shopUrl()}/api/ussd/${keys.ussd}` }), secret: keys.ussd }
  const whatsapp = await startWhatsappService({
    keys: { token: `token-${keys.whatsapp}`, appSecret: `secret-${keys.whatsapp}`, verifyToken: `verify-${keys.whatsapp}` },
    webhookUrl: () => `${shopUrl()}/api/whatsapp/webhook`,
    now: settings.whatsapp?.now ?? now,
  })
  return {
    cardProvider,
    mail,
    supplier,
    airtime: { clientId: SIMULATED_CLIENT, operatorIds: SIMULATED_OPERATORS },
    sms,
    ussd,
    whatsapp,
    async routes(app, { exposed, isAdmin } = { exposed: false, isAdmin: async () => false }) {
      const services = { cardProvider, mailbox: mail, supplier, sms, ussd, whatsapp, now }
      await app.register(async (scope) => sandboxRoutes(scope, services, { exposed, isAdmin, shopUrl }))
    },
    async close() {
      await Promise.all([cardProvider, mail, first, ...Object.values(others), sms, whatsapp].map((service) => service.close()))
    },
  }
}
