import { createHash } from 'node:crypto'
import type { CardPayment } from './payments.ts'

/** 1.95 % for local cards and mobile money in Ghana, without a flat fee. */
const FEE_PER_MYRIAD = 195

export type ProviderError = { status: false; message: string; meta: { nextStep: string }; type: string; code: string }

/** The provider's error envelope. */
export function errorBody(message: string, code: string, nextStep: string, type = 'validation_error'): ProviderError {
  return { status: false, message, meta: { nextStep }, type, code }
}

export const SERVER_FAULT = errorBody('An error occurred', 'unknown', 'Try again later', 'api_error')

/** `data` of a verified transaction. */
export function transactionData(payment: CardPayment) {
  const paid = payment.status === 'success' || payment.status === 'reversed'
  const fees = paid ? Math.round((payment.amountPesewas * FEE_PER_MYRIAD) / 10_000) : null
  return {
    id: payment.id,
    domain: payment.domain,
    status: payment.status,
    reference: payment.reference,
    receipt_number: null,
    amount: payment.amountPesewas,
    message: paid && payment.channel === 'mobile_money' ? 'madePayment' : null,
    gateway_response: payment.gatewayResponse,
    paid_at: payment.paidAt,
    created_at: payment.createdAt,
    channel: payment.channel ?? 'card',
    currency: payment.currency,
    ip_address: '127.0.0.1',
    metadata: payment.metadata ?? '',
    log: payment.attempts === 0 ? null : attemptLog(payment, paid),
    fees,
    fees_split: null,
    authorization: paid ? authorization(payment) : {},
    customer: customer(payment),
    plan: null,
    split: {},
    order_id: null,
    paidAt: payment.paidAt,
    createdAt: payment.createdAt,
    requested_amount: payment.requestedAmountPesewas,
    pos_transaction_data: null,
    source: null,
    fees_breakdown: null,
    connect: null,
    transaction_date: payment.createdAt,
    plan_object: {},
    subaccount: {},
  }
}

/** The body of the provider's only webhook event about a transaction. It carries no event id. */
export function chargeSuccess(payment: CardPayment) {
  const { receipt_number: _, transaction_date: __, plan_object: ___, ...data } = transactionData(payment)
  return { event: 'charge.success', data: { ...data, plan: {} } }
}

/** The argument of the pop-up's `onSuccess`. */
export function successData(payment: CardPayment) {
  const id = String(payment.id)
  return {
    id: payment.id,
    reference: payment.reference,
    message: 'Approved',
    status: 'success',
    trans: id,
    transaction: id,
    trxref: payment.reference,
    redirecturl: `?trxref=${payment.reference}&reference=${payment.reference}`,
  }
}

export function customer(payment: CardPayment) {
  return {
    id: parseInt(fingerprint(payment.email.toLowerCase()).slice(0, 7), 16) + 1,
    first_name: null,
    last_name: null,
    email: payment.email,
    customer_code: `CUS_${fingerprint(payment.email).slice(0, 15)}`,
    phone: null,
    metadata: null,
    risk_action: 'default',
    international_format_phone: null,
  }
}

function authorization(payment: CardPayment) {
  const number = payment.mobileNumber ?? ''
  const byPhone = payment.channel === 'mobile_money'
  return {
    authorization_code: `AUTH_${fingerprint(payment.reference).slice(0, 10)}`,
    bin: byPhone ? `${number.slice(0, 3)}XXX` : '408408',
    last4: byPhone ? `X${number.slice(-3)}` : '4081',
    exp_month: '12',
    exp_year: byPhone ? '9999' : '2030',
    channel: payment.channel,
    card_type: byPhone ? '' : 'visa ',
    bank: byPhone ? 'MTN Mobile Money' : 'TEST BANK',
    country_code: 'GH',
    brand: byPhone ? 'Mtn' : 'visa',
    reusable: !byPhone,
    signature: byPhone ? null : `SIG_${fingerprint(payment.email).slice(0, 20)}`,
    account_name: null,
  }
}

function attemptLog(payment: CardPayment, paid: boolean) {
  return {
    start_time: Math.floor(Date.parse(payment.createdAt) / 1000),
    time_spent: 7,
    attempts: payment.attempts,
    errors: paid ? payment.attempts - 1 : payment.attempts,
    success: paid,
    mobile: payment.channel === 'mobile_money',
    input: [],
    history: [
      { type: 'action', message: `Attempted to pay with ${payment.channel === 'mobile_money' ? 'mobile money' : 'card'}`, time: 6 },
      paid
        ? { type: 'success', message: 'Successfully paid', time: 7 }
        : { type: 'error', message: `Error: ${payment.gatewayResponse}`, time: 7 },
    ],
  }
}

function fingerprint(text: string) {
  return createHash('sha256').update(text).digest('hex')
}
