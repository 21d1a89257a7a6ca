import type { Warn } from '../keep-file.ts'
import { Refusal } from '../refusal.ts'
import type { CardPayment, CardPayments, CardStatus, CHANNELS } from './payments.ts'
import type { CardWebhooks } from './webhooks.ts'

/** The only number that can pay by mobile money in the provider's test mode. */
export const PAYING_MOBILE_NUMBER = '0551234987'

export type PayOptions = {
  channel?: (typeof CHANNELS)[number] | undefined
  mobileNumber?: string | undefined
  /** The charged amount, if it should differ from the requested one. */
  amountPesewas?: number | undefined
  currency?: string | undefined
  /** Pays at that time by itself, even if the shop is restarted meanwhile. */
  afterMs?: number | undefined
}

export type Payer = {
  pay(reference: string, options?: PayOptions): Promise<CardPayment>
  /** Tries mobile money: the test number pays, any other is refused. */
  payByPhone(reference: string, mobileNumber: string): Promise<CardPayment>
  /** The card is declined; the payer may try again. */
  decline(reference: string, reason?: string): Promise<CardPayment>
  /** Puts a payment into any state without a webhook event, as the provider does for every state but success. */
  setStatus(reference: string, status: CardStatus): Promise<CardPayment>
  /** Sends the webhook event of a paid transaction once more. */
  notifyAgain(reference: string): Promise<CardPayment>
  resume(): void
  close(): void
}

/** What payers and their banks do to the payments that the shop began. */
export function playPayers(payments: CardPayments, webhooks: CardWebhooks, { now, log }: { now: () => Date; log: Warn }): Payer {
  const timers = new Map<string, NodeJS.Timeout>()

  return {
    async pay(reference, options = {}) {
      const payment = payable(reference)
      if (payment.status === 'success') return payment
      payment.channel = options.channel ?? payment.channel ?? 'card'
      payment.mobileNumber = options.mobileNumber ?? payment.mobileNumber
      payment.amountPesewas = options.amountPesewas ?? payment.amountPesewas
      payment.currency = options.currency ?? payment.currency
      payment.attempts += 1
      if (options.afterMs) {
        payment.status = 'pending'
        payment.gatewayResponse = 'The payment is in progress'
        payment.paysAt = Date.now() + options.afterMs
        arm(payment)
      } else succeed(payment)
      await payments.save()
      return payment
    },
    async payByPhone(reference, mobileNumber) {
      if (!/^0\d{9}$/.test(mobileNumber)) throw new Refusal(400, 'Enter a mobile money number of 10 digits.')
      if (mobileNumber === PAYING_MOBILE_NUMBER) return this.pay(reference, { channel: 'mobile_money', mobileNumber })
      const payment = payable(reference)
      if (payment.status === 'success') return payment
      payment.channel = 'mobile_money'
      payment.mobileNumber = mobileNumber
      return this.decline(reference, `Declined. In test mode only ${PAYING_MOBILE_NUMBER} can pay by mobile money.`)
    },
    async decline(reference, reason = 'Declined') {
      const payment = payable(reference)
      if (payment.status === 'success') throw new Refusal(409, 'This payment was already made.')
      forget(payment)
      payment.status = 'failed'
      payment.channel ??= 'card'
      payment.attempts += 1
      payment.gatewayResponse = reason
      await payments.save()
      return payment
    },
    async setStatus(reference, status) {
      const payment = known(reference)
      forget(payment)
      payment.status = status
      payment.gatewayResponse = status === 'success' ? 'Successful' : status
      payment.paidAt = status === 'success' || status === 'reversed' ? (payment.paidAt ?? now().toISOString()) : null
      await payments.save()
      return payment
    },
    async notifyAgain(reference) {
      const payment = known(reference)
      if (payment.status !== 'success') throw new Refusal(409, 'The provider announces only payments that succeeded.')
      webhooks.announce(payment)
      await payments.save()
      return payment
    },
    resume() {
      for (const payment of payments.list()) arm(payment)
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }

  function known(reference: string) {
    const payment = payments.find(reference)
    if (!payment) throw new Refusal(404, 'The card provider knows no payment with that reference.')
    return payment
  }

  function payable(reference: string) {
    const payment = known(reference)
    if (payment.status === 'reversed') throw new Refusal(409, 'This payment was reversed.')
    return payment
  }

  function succeed(payment: CardPayment) {
    forget(payment)
    payment.status = 'success'
    payment.gatewayResponse = payment.channel === 'mobile_money' ? 'Approved' : 'Successful'
    payment.paidAt = now().toISOString()
    webhooks.announce(payment)
  }

  function arm(payment: CardPayment) {
    clearTimeout(timers.get(payment.reference))
    if (payment.paysAt === null) return
    const timer = setTimeout(
      () => {
        succeed(payment)
        payments.save().catch((error: unknown) => log.warn({ err: error }, 'the sandbox could not keep a payment'))
      },
      Math.max(0, payment.paysAt - Date.now()),
    )
    timers.set(payment.reference, timer)
  }

  function forget(payment: CardPayment) {
    clearTimeout(timers.get(payment.reference))
    timers.delete(payment.reference)
    payment.paysAt = null
  }
}
