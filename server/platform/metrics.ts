import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type * as PromClient from 'prom-client'
import type { Gauge, Registry } from 'prom-client'
import type { Db } from './db.ts'
import type { DiskSpace } from './disk-space.ts'
import type { Log } from './log.ts'
import { SHARES } from './shares.ts'

/** Most shops serve no metrics: nothing is counted then, and the library is not loaded. */
type Library = typeof PromClient

/** Counted since this process serves metrics; Prometheus sums over processes. */
let counters: ReturnType<typeof makeCounters> | undefined

function makeCounters({ Counter, Gauge, Histogram, Registry }: Library) {
  const counted = new Registry()
  return {
    counted,
    httpSeconds: new Histogram({
      name: 'dwadi_http_request_seconds',
      help: 'How long requests took, by method, route and status.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [counted],
    }),
    orders: new Counter({
      name: 'dwadi_orders_total',
      help: 'Orders made, by network and by what they were paid with.',
      labelNames: ['network', 'paid_with'] as const,
      registers: [counted],
    }),
    payments: new Counter({
      name: 'dwadi_card_payments_total',
      help: 'Card payments that were paid: settled became what they were for, held did not.',
      labelNames: ['outcome'] as const,
      registers: [counted],
    }),
    supplierCalls: new Counter({
      name: 'dwadi_supplier_calls_total',
      help: 'Calls to suppliers by how they ended: accepted, rejected or unknown.',
      labelNames: ['supplier', 'outcome'] as const,
      registers: [counted],
    }),
    sharesRefused: new Counter({
      name: 'dwadi_share_refused_total',
      help: 'What was refused because an account, address or receiver had used up its share.',
      labelNames: ['share'] as const,
      registers: [counted],
    }),
    socketsRefused: new Counter({
      name: 'dwadi_sockets_refused_total',
      help: 'Sockets that were not let in, or were cut because they sent too much, by why.',
      labelNames: ['why'] as const,
      registers: [counted],
    }),
    sharesMost: new Gauge({
      name: 'dwadi_share_most',
      help: 'The most that one account, address or receiver may use of what all share.',
      labelNames: ['share', 'of', 'by'] as const,
      registers: [counted],
    }),
  }
}

export function countRequest({ method, route, status, seconds }: { method: string; route: string; status: number; seconds: number }) {
  counters?.httpSeconds.observe({ method, route, status }, seconds)
}

/** Counts orders just placed. Call it after the commit, and not for a replayed reply. */
export function countOrders(made: { network: string; paidWith: string; count?: number }[]) {
  for (const { network, paidWith, count = 1 } of made) counters?.orders.inc({ network, paid_with: paidWith }, count)
}

export function countPayment(outcome: 'settled' | 'held') {
  counters?.payments.inc({ outcome })
}

export function countSupplierCall(supplier: string, outcome: 'accepted' | 'rejected' | 'unknown') {
  counters?.supplierCalls.inc({ supplier, outcome })
}

export function countShareRefused(share: string) {
  counters?.sharesRefused.inc({ share })
}

export function countSocketRefused(why: 'UNAUTHENTICATED' | 'TOO_MANY' | 'UNAVAILABLE' | 'flood') {
  counters?.socketsRefused.inc({ why })
}

/** A value read from the database at scrape time, the same in every process. */
export type Reading = { name: string; help: string; labels: Record<string, string>; value: number }

export type Metrics = { port: number; close(): Promise<void> }

type Sources = {
  host: string
  port: number
  log: Log
  db: Db
  disk?: Pick<DiskSpace, 'freeBytes'> | null
  /** The number of sockets connected to this process. */
  sockets: () => number
  /** The number of requests that wait for their account's or address's turn. */
  requestsWaiting: () => number
  /** Read at each scrape, so it must be cheap. */
  read: (db: Db) => Promise<Reading[]>
}

const READ_WITHIN_MS = 2_000

/** Serves `GET /metrics` on a port of its own, which must not be reachable through the proxy. */
export async function openMetrics({ host, port, log, db, disk, sockets, requestsWaiting, read }: Sources): Promise<Metrics> {
  const library = await import('prom-client')
  counters ??= makeCounters(library)
  for (const [share, { of, by, most }] of Object.entries(SHARES)) counters.sharesMost.set({ share, of, by }, most)
  const { counted } = counters
  const own = new library.Registry()
  library.collectDefaultMetrics({ register: own })
  const gauge = (name: string, help: string, value: () => number | Promise<number>) =>
    new library.Gauge({
      name,
      help,
      registers: [own],
      async collect(this: Gauge) {
        this.set(await value())
      },
    })
  gauge('dwadi_sockets', 'Sockets that are connected.', sockets)
  gauge('dwadi_requests_waiting', "Requests that wait for their account's or address's turn.", requestsWaiting)
  gauge('dwadi_database_connections', 'Connections of the pool.', () => db.totalCount)
  gauge('dwadi_database_connections_idle', 'Connections of the pool that nobody uses.', () => db.idleCount)
  gauge('dwadi_database_waiting', 'Requests that wait for a connection.', () => db.waitingCount)

  if (disk)
    gauge('dwadi_disk_free_bytes', 'What is free on the disk of the embedded database.', async () => (await disk.freeBytes()) ?? Number.NaN)

  const server = createServer((request, reply) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      reply.writeHead(404).end('There is only /metrics here.\n')
      return
    }
    scrape().then(
      (text) => reply.writeHead(200, { 'content-type': own.contentType }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'the metrics could not be read')
        reply.writeHead(500).end()
      },
    )
  })
  async function scrape() {
    return library.Registry.merge([counted, own, asGauges(await readInTime(() => read(db), log), library)]).metrics()
  }
  server.requestTimeout = 5_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** When the database is away, its metrics are left out and the process's own are still served. */
async function readInTime(read: () => Promise<Reading[]>, log: Log): Promise<Reading[]> {
  const up = { name: 'dwadi_database_up', help: 'Whether the database answered this scrape.', labels: {} }
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('the database did not answer in time')), READ_WITHIN_MS).unref()
  })
  try {
    return [...(await Promise.race([read(), late])), { ...up, value: 1 }]
  } catch (error) {
    log.warn({ err: error }, 'serving metrics without those read from the database')
    return [{ ...up, value: 0 }]
  }
}

function asGauges(readings: Reading[], { Gauge, Registry }: Library): Registry {
  const registry = new Registry()
  for (const [name, samples] of Map.groupBy(readings, ({ name }) => name)) {
    const labelNames = [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))]
    const shown = new Gauge({ name, help: samples[0]?.help ?? name, labelNames, registers: [registry] })
    for (const { labels, value } of samples) shown.set(labels, value)
  }
  return registry
}
