import { createHmac } from 'node:crypto'
import { applyToWebhook, asText } from '../faults.ts'
import type { Warn } from '../keep-file.ts'
import { makeWebhookEvents, openWebhookSender, type WebhookEvent } from '../webhook-sender.ts'
import type { CardFaults } from './faults.ts'
import type { CardPayment, CardPayments } from './payments.ts'
import { chargeSuccess } from './replies.ts'

/**
 * The provider makes four attempts, three minutes apart, and then one an hour for up to 72 hours. Here a minute of its
 * time takes a second.
 */
export const RETRY_DELAYS_MS: readonly number[] = [3_000, 3_000, 3_000, ...Array<number>(72).fill(60_000)]

export type CardEvent = { event: string; data: Record<string, unknown> }

export type CardWebhooks = {
  /** Queues `charge.success` with any waiting fault applied. It does not wait for the delivery. */
  announce(payment: CardPayment): void
  /** Queues another event about the payment. */
  send(payment: CardPayment, event: CardEvent): void
  resume(): void
  close(): Promise<void>
}

/** Sends the provider's signed events to the shop, with retries until they are accepted. */
export function sendCardWebhooks(
  payments: CardPayments,
  faults: CardFaults,
  settings: { secretKey: string; webhookUrl: () => string; retryDelaysMs: readonly number[]; timeoutMs: number; log: Warn },
): CardWebhooks {
  const { secretKey, webhookUrl, retryDelaysMs, timeoutMs, log } = settings
  const sender = openWebhookSender<CardPayment>({ usualUrl: webhookUrl, retryDelaysMs, timeoutMs, save: () => payments.save(), log })
  const send = (payment: CardPayment, event: CardEvent) =>
    sender.send(payment, signedEvents(event, faults.takeForWebhook(payment.reference), secretKey))
  return {
    announce: (payment) => send(payment, chargeSuccess(payment)),
    send,
    resume: () => sender.resume(payments.list()),
    close: () => sender.close(),
  }
}

/** HMAC-SHA512 in hex over the exact bytes of the body, keyed with the secret API key. */
function signBody(body: string, secretKey: string): string {
  return createHmac('sha512', secretKey).update(body).digest('hex')
}

/** The event as it is sent, signed, with a fault applied. */
export function signedEvents(whole: CardEvent, fault: ReturnType<CardFaults['takeForWebhook']>, secretKey: string): WebhookEvent[] {
  const signedWith = (key: string) => (body: string) => ({ headers: { 'x-paystack-signature': signBody(body, key) } })
  if (fault?.kind !== 'bad-signature') return makeWebhookEvents(applyToWebhook(whole, fault), signedWith(secretKey))
  const forge = signedWith(`${secretKey}, but forged`)
  return makeWebhookEvents({ body: asText(whole) }, (body) => ({ ...forge(body), retried: false }))
}
