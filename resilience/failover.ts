import { setTimeout as wait } from 'node:timers/promises'
import type { Network } from '../shared/networks.ts'
import { SUPPLIERS, type SupplierName } from '../shared/suppliers.ts'
import { slowness } from '../test/slowness.ts'
import { until } from '../test/until.ts'
import type { Experiment, Trial } from './experiment.ts'
import { openShops, type Shops } from './shops.ts'

type Fault = Parameters<Shops['sandbox']['supplier']['hubnet']['addFault']>[0]

/** Y. Suppliers that fail: several for one network, and the one of airtime. */
export const failover: Experiment[] = [
  {
    id: 'Y1',
    expects:
      'three suppliers that refuse, time out, cut the line, take an order and fail, report late, or say “not found” of what they have; two processes, killed meanwhile: every order is delivered once, at the cost of the one that delivered it, to the pesewa',
    runs: { fast: 60, full: 500 },
    beside: true,
    go: (trial) => deliverOnce(trial, DATA),
  },
  {
    id: 'Y2',
    expects:
      'airtime at a supplier that refuses, times out, cuts the line, takes an order and calls it failed, has just served the number, or says “not found” of what it has; two processes, killed meanwhile: every order is delivered once, at its cost, to the pesewa, and none goes there that would be sold at a loss',
    runs: { fast: 40, full: 300 },
    beside: true,
    go: (trial) => deliverOnce(trial, AIRTIME),
  },
]

type Plan = {
  network: Network
  /** In the owner's order. */
  suppliers: readonly SupplierName[]
  offers: readonly string[]
  /** Those that would be sold at a loss there, so that a person processes them. */
  atLoss: readonly string[]
  phone: (run: number) => string
  cost: (supplier: number, offer: number) => number
}

const DATA: Plan = {
  network: 'AirtelTigo',
  suppliers: ['hubnet', 'remadata', 'datamart'],
  offers: ['1GB', '2GB', '3GB', '5GB'],
  atLoss: [],
  phone: (run) => `027${String(run).padStart(7, '0')}`,
  cost: (supplier, offer) => 201 + 37 * supplier + 190 * offer,
}
const AIRTIME: Plan = {
  network: 'Airtime',
  suppliers: ['reloadly'],
  offers: ['MTN GHS 1', 'MTN GHS 5', 'Telecel GHS 10', 'AirtelTigo GHS 5', 'MTN GHS 20'],
  atLoss: ['AirtelTigo GHS 5'],
  phone: (run) => `024${String(run).padStart(7, '0')}`,
  // Two percent off, and for one a fee on top.
  cost: (_, offer) => [98, 490, 980, 510, 1_960][offer] ?? Number.NaN,
}
const AT_ONCE = 10
const PERSON_LOOKS_AFTER_MS = 5_000
const FAILS = { call: 'delivery', kind: 'end', state: 'failed', afterMs: 100 }
const LATE = { call: 'delivery', kind: 'end', state: 'delivered', afterMs: 2_500 }
const REFUSES = { call: 'order', kind: 'refuse', cause: 'refused' }

/** What a supplier may do with one order; the last in the row of data delivers, or nobody would. */
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
  reloadly: [
    [],
    [LATE],
    [REFUSES],
    [{ ...REFUSES, code: 'PHONE_RECENTLY_RECHARGED', times: 2 }],
    [{ ...REFUSES, cause: 'no-money' }],
    [FAILS],
    [{ call: 'order', kind: 'reply', status: 400, body: { errorCode: 'TOPUP_TRANSACTION_FAILED' }, acts: true }],
    [{ call: 'order', kind: 'drop', acts: true }],
    [{ call: 'order', kind: 'drop', acts: false }],
    [{ call: 'order', kind: 'hang', acts: true }],
    [{ call: 'order', kind: 'drop', acts: true }, LATE, { call: 'status', kind: 'refuse', cause: 'not-found', times: 3 }],
  ],
}

async function deliverOnce(trial: Trial, plan: Plan) {
  const shops = await openShops({ ...trial.opening, processes: 2 })
  try {
    const { supplier } = shops.sandbox
    for (const name of plan.suppliers)
      await supplier[name].change({ deliversAfterMs: 100, callsPerMinute: null, balancePesewas: 1_000_000_000 })
    const costs = await setUp(shops, plan)
    const buyer = await shops.makeUser({ pesewas: 1_000_000_000 })
    const phones: string[] = []
    const kills = new Set([Math.floor(trial.runs / 3), Math.floor((2 * trial.runs) / 3)])
    let buying: Promise<void>[] = []
    for (let run = 0; run < trial.runs; run++) {
      const phone = plan.phone(run)
      phones.push(phone)
      for (const name of plan.suppliers) {
        const does = DOES[name][Math.floor(trial.random() * DOES[name].length)] ?? []
        for (const fault of does) supplier[name].addFault({ ...fault, phone } as Fault)
      }
      buying.push(buy(shops, buyer, { network: plan.network, offer: plan.offers[run % plan.offers.length] as string, phone }, run))
      if (buying.length < AT_ONCE && run + 1 < trial.runs) continue
      await Promise.all(buying)
      buying = []
      if ([...kills].some((at) => at <= run && kills.delete(at))) await killOne(shops)
    }
    const left = async () =>
      (await shops.db.query<{ left: number }>(`select count(*) as left from orders where status = 'pending'`)).rows[0]?.left
    const patienceMs = 120_000 + trial.runs * 500
    const looking = new AbortController()
    const person = actAsPerson(shops, plan, looking.signal)
    await until(async () => (await left()) === 0, patienceMs).catch(async () => trial.wrong(`${await left()} orders were never delivered`))
    looking.abort()
    trial.note(`${await person} looked at by a person`)
    await prove(trial, shops, plan, phones, costs)
    trial.did(trial.runs)
  } finally {
    await shops.close()
  }
}

type Costs = Map<string, number>

/** The suppliers in a row for one network, each with other costs, below every price but for what is sold at a loss. */
async function setUp(shops: Shops, { network, suppliers, offers, cost }: Plan): Promise<Costs> {
  const [first, ...others] = suppliers
  await shops.db.query('update operations_settings set complete_delivered = true, supplier_routes = $1, supplier_fallbacks = $2', [
    { [network]: first },
    { [network]: others },
  ])
  const costs: Costs = new Map()
  for (const [index, name] of suppliers.entries())
    for (const [size, offer] of offers.entries()) {
      const pesewas = cost(index, size)
      costs.set(`${name} ${offer}`, pesewas)
      await shops.db.query(
        `insert into package_costs (product_id, offer, supplier, cost_pesewas, valid_from)
         select k.product_id, k.offer, $1, $2, now() - interval '1 day' from packages k join products p on p.id = k.product_id
         where p.network = $4 and k.offer = $3`,
        [name, pesewas, offer, network],
      )
    }
  return costs
}

type Wanted = { network: Network; offer: string; phone: string }

async function buy(shops: Shops, buyer: Awaited<ReturnType<Shops['makeUser']>>, wanted: Wanted, run: number) {
  const line = shops.line(wanted)
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
 * completes what is there, and sends the rest again. Airtime has no other supplier to go on to, so a person also sends again what was
 * refused or failed, and tops up by hand what would be sold at a loss.
 */
async function actAsPerson(shops: Shops, { atLoss }: Plan, ends: AbortSignal): Promise<number> {
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
    acts += await sendElsewhere(shops)
    acts += await lookAfterAirtime(shops, atLoss)
    await wait(500)
  }
  return acts
}

/** What was refused, or failed, where the person had sent it again stays theirs: it goes to the supplier that delivers. */
async function sendElsewhere(shops: Shops): Promise<number> {
  const { rows } = await shops.db.query<{ id: string; status: string }>(
    `select o.id, d.status from supplier_deliveries d join orders o on o.id = d.order_id
     where o.network <> 'Airtime' and o.status = 'pending' and d.status in ('rejected', 'failed')
       and exists (select from delivery_restarts r where r.order_id = o.id and r.reference = d.reference and r.restarted_by is not null)`,
  )
  let acts = 0
  for (const { id, status: supplierStatus } of rows) {
    const body = { to: 'datamart', supplierStatus }
    const { status } = await shops.call('PUT', `/admin/orders/${id}/send-again`, { as: shops.admins[0], body })
    if (status === 200) acts += 1
  }
  return acts
}

async function lookAfterAirtime(shops: Shops, atLoss: readonly string[]): Promise<number> {
  const { rows } = await shops.db.query<{ id: string; offer: string; status: string | null }>(
    `select o.id, o.offer, d.status from orders o left join supplier_deliveries d on d.order_id = o.id
     where o.network = 'Airtime' and o.status = 'pending'
       and (d.status in ('rejected', 'failed', 'cancelled') or (d.order_id is null and not exists (select from order_outbox x where x.order_id = o.id)))`,
  )
  let acts = 0
  for (const { id, offer, status } of rows) {
    const isByHand = (status === null || status === 'cancelled') && atLoss.includes(offer)
    const done = isByHand
      ? await shops.call('PUT', `/order/update-status/${id}`, { as: shops.admins[0], body: { status: 'completed' } })
      : await shops.call('PUT', `/admin/orders/${id}/send-again`, { as: shops.admins[0], body: { to: 'reloadly', supplierStatus: status } })
    if (done.status === 200) acts += 1
  }
  return acts
}

async function prove(trial: Trial, shops: Shops, { suppliers, atLoss }: Plan, phones: string[], costs: Costs) {
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
    if (atLoss.includes(offer)) {
      trial.same(`deliveries by a supplier of ${offer}, which is sold at a loss`, by.length, 0)
      expectedMargin += price
      continue
    }
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
  if (suppliers.length > 1) trial.note(`${moved[0]?.moves} went on to the next supplier`)
  trial.note(`margin ${expectedMargin} pesewas`)
  for (const violation of await shops.prove()) trial.wrong(violation)
}
