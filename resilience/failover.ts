import { setTimeout as wait } from 'node:timers/promises'
import { SUPPLIERS, type SupplierName } from '../shared/suppliers.ts'
import { slowness } from '../test/slowness.ts'
import { until } from '../test/until.ts'
import type { Experiment, Trial } from './experiment.ts'
import { openShops, type Shops } from './shops.ts'

type Fault = Parameters<Shops['sandbox']['supplier']['hubnet']['addFault']>[0]

/** Y. Several suppliers for one network. */
export const failover: Experiment[] = [
  {
    id: 'Y1',
    expects:
      'three suppliers that refuse, time out, cut the line, take an order and fail, report late, or say “not found” of what they have; two processes, killed meanwhile: every order is delivered once, at the cost of the one that delivered it, to the pesewa',
    runs: { fast: 60, full: 500 },
    beside: true,
    go: deliverOnce,
  },
]

const ORDER: readonly SupplierName[] = ['hubnet', 'remadata', 'datamart']
const OFFERS = ['1GB', '2GB', '3GB', '5GB']
const AT_ONCE = 10
const PERSON_LOOKS_AFTER_MS = 5_000
const FAILS = { call: 'delivery', kind: 'end', state: 'failed', afterMs: 100 }
const LATE = { call: 'delivery', kind: 'end', state: 'delivered', afterMs: 2_500 }
const REFUSES = { call: 'order', kind: 'refuse', cause: 'refused' }

/** What a supplier may do with one order; the last in the row delivers, or nobody would. */
const DOES: Record<SupplierName, object[][]> = {
  hubnet: [
    [],
    [LATE],
    [REFUSES],
    [{ ...REFUSES, cause: 'invalid' }],
    [{ ...REFUSES, cause: 'no-money' }],
    [FAILS],
    [{ call: 'order', kind: 'drop', acts: true }],
    [{ call: 'order', kind: 'drop', acts: false }],
    [{ call: 'order', kind: 'hang', acts: true }],
    [{ call: 'order', kind: 'drop', acts: true }, LATE, { call: 'status', kind: 'refuse', cause: 'not-found', times: 3 }],
    [{ call: 'order', kind: 'drop', acts: true }, FAILS],
  ],
  remadata: [[], [LATE], [REFUSES], [FAILS], [{ ...REFUSES, cause: 'not-approved' }], [{ call: 'order', kind: 'drop', acts: true }]],
  datamart: [[], [LATE]],
}

async function deliverOnce(trial: Trial) {
  const shops = await openShops({ ...trial.opening, processes: 2 })
  try {
    const { supplier } = shops.sandbox
    for (const name of ORDER) await supplier[name].change({ deliversAfterMs: 100, callsPerMinute: null, balancePesewas: 1_000_000_000 })
    const costs = await setUp(shops)
    const buyer = await shops.makeUser({ pesewas: 1_000_000_000 })
    const phones: string[] = []
    const kills = new Set([Math.floor(trial.runs / 3), Math.floor((2 * trial.runs) / 3)])
    let buying: Promise<void>[] = []
    for (let run = 0; run < trial.runs; run++) {
      const phone = `027${String(run).padStart(7, '0')}`
      phones.push(phone)
      for (const name of ORDER) {
        const does = DOES[name][Math.floor(trial.random() * DOES[name].length)] ?? []
        for (const fault of does) supplier[name].addFault({ ...fault, phone } as Fault)
      }
      buying.push(buy(shops, buyer, phone, OFFERS[run % OFFERS.length] as string, run))
      if (buying.length < AT_ONCE && run + 1 < trial.runs) continue
      await Promise.all(buying)
      buying = []
      if ([...kills].some((at) => at <= run && kills.delete(at))) await killOne(shops)
    }
    const left = async () =>
      (await shops.db.query<{ left: number }>(`select count(*) as left from orders where status = 'pending'`)).rows[0]?.left
    const patienceMs = 120_000 + trial.runs * 500
    const looking = new AbortController()
    const person = actAsPerson(shops, looking.signal)
    await until(async () => (await left()) === 0, patienceMs).catch(async () => trial.wrong(`${await left()} orders were never delivered`))
    looking.abort()
    trial.note(`${await person} looked at by a person`)
    await prove(trial, shops, phones, costs)
    trial.did(trial.runs)
  } finally {
    await shops.close()
  }
}

type Costs = Map<string, number>

/** The three in a row for one network, each with other costs, all below every price. */
async function setUp(shops: Shops): Promise<Costs> {
  await shops.db.query(
    `update operations_settings set complete_delivered = true, supplier_routes = '{"AirtelTigo": "hubnet"}', supplier_fallbacks = '{"AirtelTigo": ["remadata", "datamart"]}'`,
  )
  const costs: Costs = new Map()
  for (const [index, name] of ORDER.entries())
    for (const [size, offer] of OFFERS.entries()) {
      const pesewas = 201 + 37 * index + 190 * size
      costs.set(`${name} ${offer}`, pesewas)
      await shops.db.query(
        `insert into package_costs (product_id, offer, supplier, cost_pesewas, valid_from)
         select k.product_id, k.offer, $1, $2, now() - interval '1 day' from packages k join products p on p.id = k.product_id
         where p.network = 'AirtelTigo' and k.offer = $3`,
        [name, pesewas, offer],
      )
    }
  return costs
}

async function buy(shops: Shops, buyer: Awaited<ReturnType<Shops['makeUser']>>, phone: string, offer: string, run: number) {
  const line = shops.line({ network: 'AirtelTigo', offer, phone })
  // Asked again with the same key while a process is away.
  await until(async () => (await shops.buy(buyer, [line], `attempt-of-the-failover-${run}`)).status === 200, 60_000)
}

async function killOne(shops: Shops) {
  const dying = shops.all.shift()
  dying?.program.process.kill('SIGKILL')
  await dying?.program.ended()
  await shops.startAnother()
}

/**
 * RemaData and DataMart know only references of their own, so an order whose reply was lost waits for a person: who looks on the portal,
 * completes what is there, and sends the rest again.
 */
async function actAsPerson(shops: Shops, ends: AbortSignal): Promise<number> {
  let acts = 0
  while (!ends.aborted) {
    const { rows } = await shops.db.query<{ id: string; supplier: SupplierName; reference: string; receiver: string }>(
      `select o.id, d.supplier, d.reference, o.receiver from supplier_deliveries d join orders o on o.id = d.order_id
       where o.status = 'pending' and d.status = 'unknown' and d.not_found >= 2 and d.supplier <> 'hubnet'
         and d.sent_at < clock_timestamp() - $1 * interval '1 millisecond'`,
      // A call that the shop gave up may still be on its way to a busy simulator.
      [Math.min(20_000, PERSON_LOOKS_AFTER_MS * slowness())],
    )
    for (const { id, supplier, reference } of rows) {
      const found = shops.sandbox.supplier[supplier].deliveries().find((one) => one.reference === reference)
      const isOpen = found?.state === 'accepted' || found?.state === 'processing'
      if (isOpen) continue
      const override = { reason: 'It is on the portal.', supplierStatus: 'unknown' }
      // What the portal shows as failed was charged back, and goes again like what is not there.
      const { status } =
        found?.state === 'delivered'
          ? await shops.call('PUT', `/order/update-status/${id}`, { as: shops.admins[0], body: { status: 'completed', override } })
          : await shops.call('PUT', `/admin/orders/${id}/send-again`, {
              as: shops.admins[0],
              body: { to: supplier, supplierStatus: 'unknown', lookedAtPortal: true },
            })
      if (status === 200) acts += 1
    }
    await wait(500)
  }
  return acts
}

async function prove(trial: Trial, shops: Shops, phones: string[], costs: Costs) {
  const { rows } = await shops.db.query<{ receiver: string; offer: string; price: number; supplier: string; cost: number }>(
    `select receiver, offer, price_pesewas as price, cost_supplier as supplier, cost_pesewas as cost from orders where status = 'completed'`,
  )
  trial.same('delivered orders', rows.length, phones.length)
  let expectedMargin = 0
  for (const { receiver, offer, price, supplier, cost } of rows) {
    const by = SUPPLIERS.flatMap((name) =>
      shops.sandbox.supplier[name]
        .deliveries()
        .filter(({ phone, state }) => phone === receiver && state === 'delivered')
        .map(({ reference }) => ({ name, reference })),
    )
    const [one, ...more] = by
    if (one === undefined || more.length > 0) {
      const found = by.map(({ name, reference }) => `${name} under ${reference}`).join(', ')
      trial.wrong(`${by.length} deliveries to ${receiver}: ${found}`)
      continue
    }
    const expected = costs.get(`${one.name} ${offer}`) ?? Number.NaN
    trial.same(`who delivered to ${receiver}, and the cost`, `${supplier} ${cost}`, `${one.name} ${expected}`)
    expectedMargin += price - expected
  }
  const { rows: books } = await shops.db.query<{ margin: number }>(
    `select coalesce(sum(p.amount_pesewas) filter (where p.account_id in (1, 10)), 0)::bigint as margin from postings p`,
  )
  trial.same('the margin in the ledger, in pesewas', Number(books[0]?.margin), expectedMargin)
  const { rows: moved } = await shops.db.query<{ moves: number }>(
    'select count(*) as moves from delivery_restarts where restarted_by is null',
  )
  trial.note(`${moved[0]?.moves} went on to the next supplier, margin ${expectedMargin} pesewas`)
  for (const violation of await shops.prove()) trial.wrong(violation)
}
