import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod'
import { keepFile, type Warn } from '../keep-file.ts'
import { readOldNames, webhookEvent } from '../webhook-sender.ts'
import { DELIVERY_STATES, type DeliveryState, STYLES } from './faults.ts'

/** Older ones are deleted, so that a long-lived sandbox stays fast. */
const KEPT_DELIVERIES = 5_000

/** An order that the supplier accepted and charged. */
const delivery = z.object({
  /** The supplier's own reference. */
  id: z.string(),
  reference: z.string(),
  /** Ten digits. */
  phone: z.string(),
  /** The supplier's name for it. */
  network: z.string(),
  /** 0 for airtime. */
  volumeMb: z.int(),
  /** For airtime alone. */
  airtimePesewas: z.int().optional(),
  costPesewas: z.int(),
  /** The order's webhook address. */
  webhook: z.string().nullable(),
  state: z.enum(DELIVERY_STATES),
  /** The supplier's word for the state, if not the usual one. */
  word: z.string().nullable(),
  reason: z.string(),
  createdAt: z.string(),
  /** The final state it will reach by itself. */
  end: z.object({ state: z.enum(DELIVERY_STATES), word: z.string().nullable(), reason: z.string(), at: z.number() }).nullable(),
  webhookEvents: z.array(webhookEvent),
})
export type Delivery = z.output<typeof delivery>

export const supplierSettings = z.object({
  /** The shop's balance. */
  balancePesewas: z.int().min(0).max(100_000_000_00),
  /** The most calls to one endpoint in a minute; null: unlimited. */
  callsPerMinute: z.int().min(1).max(100_000).nullable(),
  /** Whether a used reference is refused; if not, it delivers again. */
  refusesDuplicates: z.boolean(),
  /** The delay until an accepted order is delivered; null: only on request. */
  deliversAfterMs: z.int().min(0).max(86_400_000).nullable(),
  /** The style of its replies, if there are several. */
  style: z.enum(STYLES),
  /** The webhook address for orders without one; null: none is sent. */
  webhookUrl: z.url({ protocol: /^https?$/ }).nullable(),
})
export type SupplierSettings = z.output<typeof supplierSettings>

const kept = z.object({ settings: supplierSettings, refusedDuplicates: z.int(), deliveries: z.array(z.preprocess(readOldNames, delivery)) })

export type NewDelivery = Pick<Delivery, 'reference' | 'phone' | 'network' | 'volumeMb' | 'costPesewas' | 'webhook' | 'airtimePesewas'>

/** `duplicates`: deliveries beyond the first under one reference. */
export type Tally = {
  references: number
  deliveries: number
  duplicates: number
  refusedDuplicates: number
  byState: Partial<Record<DeliveryState, number>>
}

export type Deliveries = {
  settings: SupplierSettings
  change(changes: Partial<SupplierSettings>): Promise<SupplierSettings>
  add(details: NewDelivery): Delivery
  noteRefusedDuplicate(): void
  /** The newest with the shop's reference. */
  find(reference: string): Delivery | undefined
  findById(id: string): Delivery | undefined
  /** Newest first. */
  list(): Delivery[]
  tally(): Tally
  save(): Promise<void>
}

export type DeliveriesSettings = {
  name: string
  now: () => Date
  log: Warn
  /** Defaults. */
  usual: SupplierSettings
  /** These override stored settings. */
  wanted: Partial<SupplierSettings>
}

/** A supplier's orders and settings, stored in the sandbox's folder. */
export async function openDeliveries(folder: string, { name, now, log, usual, wanted }: DeliveriesSettings): Promise<Deliveries> {
  const settings: SupplierSettings = { ...usual }
  const deliveries = new Map<string, Delivery>()
  const newest = new Map<string, Delivery>()
  let refusedDuplicates = 0
  const state = () => ({ settings, refusedDuplicates, deliveries: [...deliveries.values()] })
  const file = keepFile(join(folder, `${name}-deliveries.json`), kept, state, log)
  const remember = (one: Delivery) => {
    deliveries.set(one.id, one)
    newest.set(one.reference, one)
  }

  const found = await file.read()
  if (found) {
    Object.assign(settings, found.settings)
    refusedDuplicates = found.refusedDuplicates
    for (const one of found.deliveries) remember(one)
  }
  Object.assign(settings, wanted)

  return {
    settings,
    async change(changes) {
      Object.assign(settings, changes)
      await file.save()
      return settings
    },
    add(details) {
      const added: Delivery = {
        ...details,
        id: randomBytes(8).toString('hex').toUpperCase(),
        state: 'accepted',
        word: null,
        reason: '',
        createdAt: now().toISOString(),
        end: null,
        webhookEvents: [],
      }
      remember(added)
      settings.balancePesewas -= added.costPesewas
      for (const oldest of deliveries.values()) {
        if (deliveries.size <= KEPT_DELIVERIES) break
        deliveries.delete(oldest.id)
        if (newest.get(oldest.reference) === oldest) newest.delete(oldest.reference)
      }
      return added
    },
    noteRefusedDuplicate() {
      refusedDuplicates += 1
    },
    find: (reference) => newest.get(reference),
    findById: (id) => deliveries.get(id),
    list: () => [...deliveries.values()].reverse(),
    tally() {
      const byState: Tally['byState'] = {}
      for (const one of deliveries.values()) byState[one.state] = (byState[one.state] ?? 0) + 1
      const references = newest.size
      return { references, deliveries: deliveries.size, duplicates: deliveries.size - references, refusedDuplicates, byState }
    },
    save: () => file.save(),
  }
}
