import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createReloadly, type ReloadlySettings } from '../server/integrations/supplier/reloadly.ts'
import { allow } from '../test/slowness.ts'
import { type DataSupplierSimulator, startDataSupplier } from './data-supplier.ts'
import { reloadly, SIMULATED_CLIENT, SIMULATED_OPERATORS } from './supplier/reloadly.ts'

const KEY = 'the secret of the client'
let folder: string
let simulator: DataSupplierSimulator
let made = 0

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dwadi-reloadly-'))
  simulator = await startDataSupplier({
    protocol: reloadly,
    folder,
    key: KEY,
    log: { warn: () => {} },
    wanted: { deliversAfterMs: null },
  })
})
afterEach(async () => {
  await simulator.close()
  await rm(folder, { recursive: true, force: true })
})

const adapter = (others: Partial<ReloadlySettings> = {}) =>
  createReloadly({
    baseUrl: simulator.baseUrl,
    authUrl: `${simulator.baseUrl}/oauth/token`,
    clientId: SIMULATED_CLIENT,
    key: KEY,
    operatorIds: SIMULATED_OPERATORS,
    cedisPerUnit: null,
    provesAbsence: false,
    callsPerMinute: 60,
    timeoutMs: allow(2_000),
    ...others,
  })
const wish = (amountPesewas = 500, reference = `reloadlyOrder${++made}`) => ({
  reference,
  network: 'Airtime' as const,
  receiver: '0201234567',
  volumeMb: null,
  airtime: { operator: 'Telecel' as const, amountPesewas },
})
const askAbout = (reference: string, supplierReference: string | null = null) => adapter().queryStatus({ reference, supplierReference })

test('an order is charged with the discount, and found by our reference or by its id until it arrives', async () => {
  const order = wish(500)
  const sent = await adapter().send(order)
  expect(sent).toMatchObject({ outcome: 'accepted', detail: 'PROCESSING', costPesewas: 490 })
  const id = sent.outcome === 'accepted' ? sent.supplierReference : null
  expect(simulator.deliveries()).toMatchObject([{ phone: '0201234567', network: 'Telecel', airtimePesewas: 500, costPesewas: 490 }])
  expect(await adapter().balance()).toEqual({ outcome: 'known', pesewas: 10_000_00 - 490 })
  for (const by of [id, null]) expect(await askAbout(order.reference, by)).toMatchObject({ outcome: 'pending' })
  await simulator.setState(order.reference, { state: 'delivered' })
  for (const by of [id, null]) expect(await askAbout(order.reference, by)).toMatchObject({ outcome: 'delivered' })
})

test('a reference works once, also one whose order failed', async () => {
  const order = wish()
  await adapter().send(order)
  await simulator.setState(order.reference, { state: 'failed' })
  expect(await adapter().send(order)).toMatchObject({ outcome: 'rejected', cause: 'duplicate' })
  expect(simulator.tally()).toMatchObject({ deliveries: 1, duplicates: 0, refusedDuplicates: 1 })
  expect(await askAbout(order.reference)).toMatchObject({ outcome: 'failed' })
})

test('an order that nobody knows is not found', async () => {
  expect(await askAbout('neverSent12345')).toMatchObject({ outcome: 'not-found' })
  expect(await askAbout('neverSent12345', '123456')).toMatchObject({ outcome: 'not-found' })
})

describe('refusals', () => {
  test.each([
    ['an amount below the least', 99],
    ['an amount above the most', 500_01],
  ])('%s', async (_what, amountPesewas) => {
    expect(await adapter().send(wish(amountPesewas))).toMatchObject({ outcome: 'rejected', cause: 'not-sold' })
  })

  test('an operator that it does not know', async () => {
    expect(await adapter({ operatorIds: { Telecel: 1 } }).send(wish())).toMatchObject({ outcome: 'rejected', cause: 'not-sold' })
  })

  test('an empty balance', async () => {
    await simulator.change({ balancePesewas: 489 })
    expect(await adapter().send(wish(500))).toMatchObject({ outcome: 'rejected', cause: 'no-money' })
    expect(simulator.deliveries()).toEqual([])
  })

  test('a wrong key', async () => {
    expect(await adapter({ key: 'wrong' }).send(wish())).toMatchObject({ outcome: 'rejected', cause: 'not-allowed' })
    expect(await adapter({ key: 'wrong' }).balance()).toMatchObject({ outcome: 'unknown' })
  })

  test.each([
    ['invalid', 'refused'],
    ['no-money', 'no-money'],
    ['not-approved', 'not-allowed'],
    ['too-often', 'too-often'],
    ['duplicate', 'duplicate'],
    ['refused', 'refused'],
    ['not-sold', 'not-sold'],
  ] as const)('told to refuse: %s', async (told, cause) => {
    simulator.addFault({ call: 'order', kind: 'refuse', cause: told })
    expect(await adapter().send(wish())).toMatchObject({ outcome: 'rejected', cause })
    expect(simulator.deliveries()).toEqual([])
  })

  test('a number that it has just served', async () => {
    simulator.addFault({ call: 'order', kind: 'refuse', cause: 'refused', code: 'PHONE_RECENTLY_RECHARGED' })
    expect(await adapter().send(wish())).toMatchObject({ outcome: 'rejected', cause: 'too-soon' })
  })
})

describe('what is unclear', () => {
  test.each([
    ['cut', { kind: 'drop' as const, acts: true }],
    ['without an answer', { kind: 'hang' as const, acts: true }],
    ['half an answer', { kind: 'malformed' as const, acts: true }],
    ['an answer of ten megabytes', { kind: 'huge' as const, acts: true }],
    ['a failure that was none', { kind: 'reply' as const, status: 400, body: { errorCode: 'TOPUP_TRANSACTION_FAILED' }, acts: true }],
    ['an answer about another order', { kind: 'wrong-reference' as const }],
  ])('%s: asking by our reference finds it', async (_what, fault) => {
    // The first call fetches the token, so that a short patience is the order's alone.
    const one = adapter({ timeoutMs: allow(500) })
    await one.balance()
    const order = wish()
    simulator.addFault({ call: 'order', ...fault })
    expect(await one.send(order)).toMatchObject({ outcome: 'unknown', neverSent: false })
    expect(await askAbout(order.reference)).toMatchObject({ outcome: 'pending' })
  })

  test('an order that it took and says not to find', async () => {
    const order = wish()
    await adapter().send(order)
    simulator.addFault({ call: 'status', kind: 'refuse', cause: 'not-found' })
    expect(await askAbout(order.reference)).toMatchObject({ outcome: 'not-found' })
    expect(await askAbout(order.reference)).toMatchObject({ outcome: 'pending' })
  })
})

test('its operators of Ghana are listed with their ids, for the settings', async () => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ client_id: SIMULATED_CLIENT, client_secret: KEY, grant_type: 'client_credentials' })
  const token = await (await fetch(`${simulator.baseUrl}/oauth/token`, { method: 'POST', headers, body })).json()
  const response = await fetch(`${simulator.baseUrl}/operators/countries/GH`, {
    headers: { authorization: `Bearer ${(token as { access_token: string }).access_token}` },
  })
  expect(await response.json()).toMatchObject([{ id: 150, name: 'MTN Ghana' }, { name: 'Telecel Ghana' }, { name: 'AirtelTigo Ghana' }])
  expect((await fetch(`${simulator.baseUrl}/operators/countries/GH`)).status).toBe(401)
})
