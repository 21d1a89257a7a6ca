import { randomBytes, randomInt } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod'
import { keepFile, type Warn } from '../keep-file.ts'
import { Refusal } from '../refusal.ts'
import { readOldNames, webhookEvent } from '../webhook-sender.ts'

/** Every `data.status` that the provider documents for a transaction. */
export const CARD_STATUSES = ['success', 'failed', 'abandoned', 'ongoing', 'pending', 'processing', 'queued', 'reversed'] as const
export type CardStatus = (typeof CARD_STATUSES)[number]

export const CHANNELS = ['card', 'mobile_money'] as const

const refund = z.object({
  id: z.int(),
  amountPesewas: z.int(),
  status: z.enum(['pending', 'processing', 'processed', 'failed', 'needs-attention']),
  note: z.string().nullable(),
  createdAt: z.string(),
})

const payment = z.object({
  id: z.int(),
  reference: z.string(),
  accessCode: z.string(),
  email: z.string(),
  requestedAmountPesewas: z.int(),
  /** The charged amount; it differs from the requested one only when a person or a test wants it to. */
  amountPesewas: z.int(),
  currency: z.string(),
  domain: z.enum(['test', 'live']),
  /** As sent: an object, a text, or nothing, which the provider returns as an empty text. */
  metadata: z.unknown(),
  channels: z.array(z.string()),
  status: z.enum(CARD_STATUSES),
  channel: z.enum(CHANNELS).nullable(),
  mobileNumber: z.string().nullable(),
  gatewayResponse: z.string(),
  attempts: z.int(),
  createdAt: z.string(),
  paidAt: z.string().nullable(),
  /** When a payer who closed the pop-up pays anyway. */
  paysAt: z.number().nullable(),
  /** Disputes that the payer's bank opened. */
  disputes: z.array(z.object({ id: z.int(), amountPesewas: z.int(), dueAt: z.string() })).default([]),
  /** Refunds that the shop asked for. */
  refunds: z.array(refund).default([]),
  webhookEvents: z.array(webhookEvent),
})
export type CardPayment = z.output<typeof payment>

const kept = z.object({ payments: z.array(z.preprocess(readOldNames, payment)) })

/** Older ones are deleted, so that a long-lived sandbox stays fast. */
const KEPT_PAYMENTS = 2_000
/** Real ids are beyond 32 bits, so these are too. */
const FIRST_ID = 5_000_000_001

export type NewPayment = Pick<CardPayment, 'reference' | 'email' | 'requestedAmountPesewas' | 'currency' | 'metadata' | 'channels'>

export type CardPayments = {
  add(details: NewPayment): CardPayment
  find(reference: string): CardPayment | undefined
  findByAccessCode(accessCode: string): CardPayment | undefined
  /** Newest first. */
  list(): CardPayment[]
  save(): Promise<void>
}

/** The provider's payments, stored in the sandbox's folder. */
export async function openCardPayments(folder: string, { now, log }: { now: () => Date; log: Warn }): Promise<CardPayments> {
  const payments = new Map<string, CardPayment>()
  const byAccessCode = new Map<string, CardPayment>()
  const file = keepFile(join(folder, 'card-payments.json'), kept, () => ({ payments: [...payments.values()] }), log)
  const remember = (one: CardPayment) => {
    payments.set(one.reference, one)
    byAccessCode.set(one.accessCode, one)
  }

  const found = await file.read()
  for (const one of found?.payments ?? []) remember(one)
  let lastId = Math.max(FIRST_ID - 1, ...[...payments.values()].map((one) => one.id))

  return {
    add(details) {
      if (payments.has(details.reference)) throw new Refusal(400, 'Duplicate Transaction Reference')
      lastId += 1
      const added: CardPayment = {
        ...details,
        id: lastId,
        accessCode: makeAccessCode(),
        amountPesewas: details.requestedAmountPesewas,
        domain: 'test',
        status: 'abandoned',
        channel: null,
        mobileNumber: null,
        gatewayResponse: 'The transaction was not completed',
        attempts: 0,
        createdAt: now().toISOString(),
        paidAt: null,
        paysAt: null,
        disputes: [],
        refunds: [],
        webhookEvents: [],
      }
      remember(added)
      for (const oldest of payments.values()) {
        if (payments.size <= KEPT_PAYMENTS) break
        payments.delete(oldest.reference)
        byAccessCode.delete(oldest.accessCode)
      }
      return added
    },
    find: (reference) => payments.get(reference),
    findByAccessCode: (accessCode) => byAccessCode.get(accessCode),
    list: () => [...payments.values()].reverse(),
    save: () => file.save(),
  }
}

function makeAccessCode() {
  return BigInt(`0x${randomBytes(10).toString('hex')}`)
    .toString(36)
    .padStart(15, '0')
    .slice(0, 15)
}

/** The provider's own reference, for a transaction started without one. */
export function makeReference() {
  return `T${String(randomInt(1e12)).padStart(15, '0')}`
}
