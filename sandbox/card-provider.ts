import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { registerProviderCalls, replyAsProvider } from './card/calls.ts'
import { type CardControlDeps, type PresentedPayment, presentPayment, registerCardControl } from './card/control.ts'
import { type CardFaultInput, queueCardFaults } from './card/faults.ts'
import { type Payer, playPayers } from './card/payer.ts'
import { openCardPayments } from './card/payments.ts'
import { playReturns, type Returns } from './card/returns.ts'
import { type CardTransfer, openCardTransfers, type TransferSettings, type TransferStatus } from './card/transfers.ts'
import { RETRY_DELAYS_MS, sendCardWebhooks } from './card/webhooks.ts'
import type { Warn } from './keep-file.ts'
import { readOrMakeCardKeys } from './keys.ts'
import { logCalls, type ServiceCall } from './log-calls.ts'
import { NO_SCHEMAS } from './no-schemas.ts'

const WEBHOOK_TIMEOUT_MS = 10_000

export type CardProviderSettings = {
  /** The folder for payments and keys. */
  folder: string
  /** Returns the shop's own address, which may change. */
  shopUrl: () => string
  log: Warn
  /** The clock for dates of payments. Delays use the real clock. */
  now?: () => Date
  /** Delays before each retry of a webhook event; after the last it is given up. */
  webhookRetryDelaysMs?: readonly number[]
  webhookTimeoutMs?: number
}

export type CardProvider = {
  baseUrl: string
  secretKey: string
  publicKey: string
  /** Newest first. */
  payments(): PresentedPayment[]
  /** Newest first. */
  transfers(): CardTransfer[]
  setTransfer(reference: string, status: TransferStatus, reason?: string): Promise<CardTransfer>
  changeTransfers(changes: Partial<TransferSettings>): Promise<void>
  addFault(fault: CardFaultInput): void
  clearFaults(): void
  /** Calls received, newest first. */
  calls(): ServiceCall[]
  /** For the routes mounted by the shop. */
  control: CardControlDeps
  close(): Promise<void>
} & Pick<Payer, 'pay' | 'payByPhone' | 'decline' | 'setStatus' | 'notifyAgain'> &
  Returns

/**
 * Simulates the card provider: an HTTP server on a free loopback port that speaks Paystack's API, stores its payments in a
 * folder, and sends its webhook events to the shop.
 */
export async function startCardProvider(settings: CardProviderSettings): Promise<CardProvider> {
  const { folder, shopUrl, log, now = () => new Date() } = settings
  const keys = await readOrMakeCardKeys(folder, log)
  const payments = await openCardPayments(folder, { now, log })
  const faults = queueCardFaults()
  const events = {
    secretKey: keys.secretKey,
    webhookUrl: () => `${shopUrl()}/api/payment/webhook`,
    retryDelaysMs: settings.webhookRetryDelaysMs ?? RETRY_DELAYS_MS,
    timeoutMs: settings.webhookTimeoutMs ?? WEBHOOK_TIMEOUT_MS,
    log,
  }
  const webhooks = sendCardWebhooks(payments, faults, events)
  const transfers = await openCardTransfers(folder, { ...events, faults, now })
  const payer = playPayers(payments, webhooks, { now, log })
  const returns = playReturns(payments, webhooks, { now })

  const closing = new AbortController()
  const app = Fastify({ schemaController: NO_SCHEMAS, forceCloseConnections: true, bodyLimit: 1024 * 1024 })
  const calls = logCalls(app, now)
  const control = { payments, transfers, faults, payer, returns, publicKey: keys.publicKey, calls }
  replyAsProvider(app)
  registerProviderCalls(app, {
    payments,
    transfers,
    refunds: { payments, returns, now },
    faults,
    secretKey: keys.secretKey,
    checkoutUrl: (accessCode) => `${shopUrl()}/sandbox/card/popup?access_code=${accessCode}`,
    closing: closing.signal,
  })
  registerCardControl(app, '/_control', control)
  await app.listen({ host: '127.0.0.1', port: 0 })
  webhooks.resume()
  payer.resume()
  transfers.resume()

  return {
    baseUrl: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    ...keys,
    payments: () => payments.list().map(presentPayment),
    transfers: () => transfers.list(),
    setTransfer: (reference, status, reason) => transfers.setStatus(reference, status, reason),
    changeTransfers: (changes) => transfers.change(changes),
    addFault: faults.add,
    clearFaults: faults.clear,
    calls,
    control,
    pay: (reference, options) => payer.pay(reference, options),
    payByPhone: (reference, mobileNumber) => payer.payByPhone(reference, mobileNumber),
    decline: (reference, reason) => payer.decline(reference, reason),
    setStatus: (reference, status) => payer.setStatus(reference, status),
    notifyAgain: (reference) => payer.notifyAgain(reference),
    ...returns,
    async close() {
      closing.abort()
      payer.close()
      await Promise.all([webhooks.close(), transfers.close()])
      await app.close()
      await payments.save()
    },
  }
}
