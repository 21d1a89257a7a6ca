import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { registerFaultRoutes } from '../faults.ts'
import type { ServiceCall } from '../log-calls.ts'
import { read } from '../read.ts'
import { Refusal } from '../refusal.ts'
import { type Deliveries, type Delivery, supplierSettings } from './deliveries.ts'
import { DELIVERY_STATES, type SupplierFaults, supplierFault } from './faults.ts'
import type { Delivering } from './networks.ts'

export type SupplierControlDeps = {
  deliveries: Deliveries
  delivering: Delivering
  faults: SupplierFaults
  calls: () => ServiceCall[]
}

const stateRequest = z.object({
  state: z.enum(DELIVERY_STATES),
  word: z.string().max(100).optional(),
  reason: z.string().max(200).optional(),
  webhook: z.boolean().optional(),
})

type ByReference = { Params: { reference: string } }

/** Control for people and tests: what became of orders, which faults to inject, and the calls the supplier received. */
export function registerSupplierControl(
  app: FastifyInstance,
  prefix: string,
  { deliveries, delivering, faults, calls }: SupplierControlDeps,
) {
  const options = { schema: { hide: true } }

  app.get(`${prefix}/deliveries`, options, async () => deliveries.list().map(presentDelivery))
  app.get<ByReference>(`${prefix}/deliveries/:reference`, options, async (request) => {
    const found = deliveries.list().filter(({ reference }) => reference === request.params.reference)
    if (found.length === 0) throw new Refusal(404, 'The data supplier knows no order with that reference.')
    return found.map(presentDelivery)
  })
  app.post<ByReference>(`${prefix}/deliveries/:reference/state`, options, async (request) =>
    presentDelivery(await delivering.setState(request.params.reference, read(stateRequest, request.body))),
  )
  app.post<ByReference>(`${prefix}/deliveries/:reference/webhook`, options, async (request) =>
    presentDelivery(await delivering.notifyAgain(request.params.reference)),
  )
  app.get(`${prefix}/tally`, options, async () => deliveries.tally())

  app.get(`${prefix}/settings`, options, async () => deliveries.settings)
  app.patch(`${prefix}/settings`, options, async (request) =>
    deliveries.change(definedOf(read(z.strictObject(supplierSettings.shape).partial(), request.body))),
  )

  registerFaultRoutes(app, prefix, { faults, schema: supplierFault, options })
  app.get(`${prefix}/calls`, options, async () => calls())
}

/** A delivery as `/sandbox` and tests see it. The address of an event is a secret of the shop's. */
export function presentDelivery({ webhook: _, end, webhookEvents, ...delivery }: Delivery) {
  return {
    ...delivery,
    end: end === null ? null : { state: end.state, at: new Date(end.at).toISOString() },
    webhookEvents: webhookEvents.map(({ id, state, attempts, lastResult, dueAt }) => ({
      id,
      state,
      attempts,
      lastResult,
      dueAt: state === 'waiting' ? new Date(dueAt).toISOString() : null,
    })),
  }
}
export type PresentedDelivery = ReturnType<typeof presentDelivery>

function definedOf<T extends object>(changes: T) {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}
