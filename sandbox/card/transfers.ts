import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod'
import { keepFile, type Warn } from '../keep-file.ts'
import { Refusal } from '../refusal.ts'
import { openWebhookSender, webhookEvent } from '../webhook-sender.ts'
import type { CardFaults } from './faults.ts'
import { signedEvents } from './webhooks.ts'

/** Every `data.status` that the provider documents for a transfer. */
export const TRANSFER_STATUSES = [
  'pending',
  'received',
  'otp',
  'success',
  'failed',
  'reversed',
  'abandoned',
  'blocked',
  'rejected',
] as const
export type TransferStatus = (typeof TRANSFER_STATUSES)[number]

/** What the provider takes for a transfer to mobile money, on top of its amount. */
export const TRANSFER_FEE_PESEWAS = 100

const recipient = z.object({ code: z.string(), name: z.string(), phone: z.string(), bankCode: z.string() })
const transfer = z.object({
  id: z.int(),
  reference: z.string(),
  transferCode: z.string(),
  recipientCode: z.string(),
  amountPesewas: z.int(),
  reason: z.string(),
  status: z.enum(TRANSFER_STATUSES),
  gatewayResponse: z.string().nullable(),
  createdAt: z.string(),
  transferredAt: z.string().nullable(),
  webhookEvents: z.array(webhookEvent),
})
const settings = z.object({
  balancePesewas: z.int(),
  /** Transfers wait for a code that is typed in the dashboard. */
  otp: z.boolean(),
  /** After which time a transfer is paid by itself; null: never. */
  paysAfterMs: z.int().min(0).nullable(),
})
const kept = z.object({ recipients: z.array(recipient), transfers: z.array(transfer), settings })

export type TransferRecipient = z.output<typeof recipient>
export type CardTransfer = z.output<typeof transfer>
export type TransferSettings = z.output<typeof settings>

const KEPT_TRANSFERS = 2_000
const FIRST_ID = 7_000_000_001
const USUAL: TransferSettings = { balancePesewas: 100_000_00, otp: false, paysAfterMs: 3_000 }

export type CardTransfers = {
  settings: TransferSettings
  change(changes: Partial<TransferSettings>): Promise<void>
  nameRecipient(details: Omit<TransferRecipient, 'code'>): Promise<TransferRecipient>
  findRecipient(code: string): TransferRecipient | undefined
  /** Takes the amount and the fee from the balance. */
  add(details: Pick<CardTransfer, 'reference' | 'recipientCode' | 'amountPesewas' | 'reason'>): Promise<CardTransfer>
  find(reference: string): CardTransfer | undefined
  /** Newest first. */
  list(): CardTransfer[]
  /** Puts a transfer into any state; the final ones are announced by a webhook event, as the provider does. */
  setStatus(reference: string, status: TransferStatus, reason?: string): Promise<CardTransfer>
  resume(): void
  close(): Promise<void>
}

/** The provider's transfers to mobile money, stored in the sandbox's folder. */
export async function openCardTransfers(
  folder: string,
  deps: {
    faults: CardFaults
    secretKey: string
    webhookUrl: () => string
    retryDelaysMs: readonly number[]
    timeoutMs: number
    now: () => Date
    log: Warn
  },
): Promise<CardTransfers> {
  const { faults, secretKey, now, log } = deps
  const recipients = new Map<string, TransferRecipient>()
  const transfers = new Map<string, CardTransfer>()
  const timers = new Map<string, NodeJS.Timeout>()
  const state = { ...USUAL }
  const file = keepFile(
    join(folder, 'card-transfers.json'),
    kept,
    () => ({ recipients: [...recipients.values()], transfers: [...transfers.values()], settings: state }),
    log,
  )
  const found = await file.read()
  for (const one of found?.recipients ?? []) recipients.set(one.code, one)
  for (const one of found?.transfers ?? []) transfers.set(one.reference, one)
  Object.assign(state, found?.settings)
  let lastId = Math.max(FIRST_ID - 1, ...[...transfers.values()].map(({ id }) => id))
  const sender = openWebhookSender<CardTransfer>({
    usualUrl: deps.webhookUrl,
    retryDelaysMs: deps.retryDelaysMs,
    timeoutMs: deps.timeoutMs,
    save: () => file.save(),
    log,
  })

  return {
    settings: state,
    change: (changes) => {
      Object.assign(state, changes)
      return file.save()
    },
    async nameRecipient(details) {
      const known = [...recipients.values()].find((one) => one.phone === details.phone && one.bankCode === details.bankCode)
      const named = { ...details, code: known?.code ?? `RCP_${randomBytes(8).toString('hex').slice(0, 15)}` }
      recipients.set(named.code, named)
      await file.save()
      return named
    },
    findRecipient: (code) => recipients.get(code),
    async add(details) {
      lastId += 1
      state.balancePesewas -= details.amountPesewas + TRANSFER_FEE_PESEWAS
      const added: CardTransfer = {
        ...details,
        id: lastId,
        transferCode: `TRF_${randomBytes(8).toString('hex').slice(0, 15)}`,
        status: state.otp ? 'otp' : 'pending',
        gatewayResponse: null,
        createdAt: now().toISOString(),
        transferredAt: null,
        webhookEvents: [],
      }
      transfers.set(added.reference, added)
      for (const oldest of transfers.values()) {
        if (transfers.size <= KEPT_TRANSFERS) break
        transfers.delete(oldest.reference)
      }
      arm(added)
      await file.save()
      return added
    },
    find: (reference) => transfers.get(reference),
    list: () => [...transfers.values()].reverse(),
    async setStatus(reference, status, reason) {
      const one = transfers.get(reference)
      if (!one) throw new Refusal(404, 'The card provider knows no transfer with that reference.')
      settle(one, status, reason)
      await file.save()
      return one
    },
    resume() {
      for (const one of transfers.values()) arm(one)
      sender.resume([...transfers.values()])
    },
    async close() {
      for (const timer of timers.values()) clearTimeout(timer)
      await sender.close()
      await file.save()
    },
  }

  function settle(one: CardTransfer, status: TransferStatus, reason: string | undefined) {
    clearTimeout(timers.get(one.reference))
    const isHeld = (of: TransferStatus) => ['pending', 'received', 'otp', 'success'].includes(of)
    if (isHeld(one.status) && !isHeld(status)) state.balancePesewas += one.amountPesewas + TRANSFER_FEE_PESEWAS
    one.status = status
    one.gatewayResponse = reason ?? null
    if (status === 'success') one.transferredAt = now().toISOString()
    if (status !== 'success' && status !== 'failed' && status !== 'reversed') return
    const event = { event: `transfer.${status}`, data: transferData(one, recipients.get(one.recipientCode)) }
    sender.send(one, signedEvents(event, faults.takeForWebhook(one.reference), secretKey))
  }

  function arm(one: CardTransfer) {
    if (one.status !== 'pending' || state.paysAfterMs === null) return
    const timer = setTimeout(() => {
      if (one.status !== 'pending') return
      settle(one, 'success', undefined)
      file.save().catch((error: unknown) => log.warn({ err: error }, 'the sandbox could not keep a transfer'))
    }, state.paysAfterMs)
    timers.set(one.reference, timer)
  }
}

/** `data` of a transfer's reply and of its webhook events. */
export function transferData(one: CardTransfer, to: TransferRecipient | undefined) {
  return {
    amount: one.amountPesewas,
    currency: 'GHS',
    domain: 'test',
    failures: null,
    gateway_response: one.gatewayResponse,
    id: one.id,
    reason: one.reason,
    reference: one.reference,
    source: 'balance',
    source_details: null,
    status: one.status,
    titan_code: null,
    transfer_code: one.transferCode,
    transferred_at: one.transferredAt,
    fee_charged: one.status === 'success' ? TRANSFER_FEE_PESEWAS : 0,
    createdAt: one.createdAt,
    updatedAt: one.transferredAt ?? one.createdAt,
    recipient: {
      active: true,
      currency: 'GHS',
      domain: 'test',
      name: to?.name ?? '',
      recipient_code: one.recipientCode,
      type: 'mobile_money',
      details: { account_number: to?.phone ?? '', account_name: null, bank_code: to?.bankCode ?? '', bank_name: null },
    },
  }
}
