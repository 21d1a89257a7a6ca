import type { FastifyInstance } from 'fastify'
import type { SupplierCallDeps } from './answer-calls.ts'
import type { SupplierSettings } from './deliveries.ts'
import type { WriteWebhook } from './webhooks.ts'

export const SUPPLIER_NAMES = ['hubnet', 'remadata', 'datamart', 'reloadly'] as const
export type SupplierName = (typeof SUPPLIER_NAMES)[number]

/** One supplier's wire protocol. */
export type SupplierProtocol = {
  name: SupplierName
  /** The path of the base address. */
  path: string
  usual: SupplierSettings
  registerCalls(app: FastifyInstance, deps: SupplierCallDeps): void
  writeWebhook: WriteWebhook
}

/** The shop's cost of a thousand megabytes. */
export function costOf(volumeMb: number, pesewasPerGb: number): number {
  return Math.round((volumeMb * pesewasPerGb) / 1000)
}
