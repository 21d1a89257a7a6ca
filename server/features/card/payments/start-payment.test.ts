import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, findProduct, makeUser } from '../../../../test/builders.ts'
import { gatewayThat, makeCtx, paid } from '../../../../test/settling.ts'
import type { InitializeOutcome } from '../../../integrations/payments/card-payments.ts'
import type { Actor, Ctx } from '../../../platform/context.ts'
import { AppError } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { confirmPayment } from './confirm-payment.ts'
import { presentConfirmation } from './present.ts'
import { settlePayment } from './settle-payment.ts'
import { startPayment } from './start-payment.ts'

type Initialized = { reference: string; amountPesewas: number; email: string; metadata: Record<string, string> }
type Item = { productId: string; offer: string; phoneNumber: string; amount: number }

let shop: TestShop
let payer: SignedInUser
let item: Item

beforeAll(async () => {
  shop = await openTestShop()
  item = await cartLine(shop)
})
beforeEach(async () => {
  payer = await makeUser(shop)
})
afterAll(() => shop.close())

function actorOf(user: SignedInUser, level = user.userLevel): Partial<Actor> {
  return { id: user._id, username: user.username, email: user.email, level, sessionHash: hashToken(user.token) }
}

/** A desk that keeps what it was asked to get ready. */
function gatewayThatAnswers(outcome: InitializeOutcome) {
  const initialized: Initialized[] = []
  const initialize = async (payment: Initialized) => {
    initialized.push(payment)
    return outcome
  }
  return { ...gatewayThat({ outcome: 'unknown', reason: 'silence' }, { initialize }), initialized }
}

const ACCEPTED: InitializeOutcome = { outcome: 'accepted', accessCode: 'access' }

type Start = { as?: SignedInUser; level?: SignedInUser['userLevel']; gateway?: ReturnType<typeof gatewayThatAnswers>; ctx?: Ctx }

function start(
  items: Item[] | null,
  { as = payer, level = as.userLevel, gateway = gatewayThatAnswers(ACCEPTED), ctx = makeCtx(shop, actorOf(as, level)).ctx }: Start = {},
) {
  const request = items === null ? { purpose: 'agent-upgrade' as const } : { purpose: 'order' as const, items }
  return startPayment(ctx, gateway, request)
}

async function refusalOf(work: Promise<unknown>): Promise<{ status: number; code: string; message: string; paths?: string[] }> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AppError)) throw new Error(`no refusal, but ${String(error)}`)
  const { status, code, message, issues } = error
  return { status, code, message, ...(issues ? { paths: issues.map((issue) => `${issue.path}: ${issue.message}`) } : {}) }
}

async function lastPayment() {
  const { rows } = await shop.database.db.query(
    `select reference, purpose, price_pesewas as price, surcharge_pesewas as surcharge, access_code as "accessCode", status, reason,
       check_at as "checkAt", created_at as "createdAt", lines from payments where user_id = $1`,
    [payer._id],
  )
  return rows[0]
}

describe('a payment is stored before the provider is called', () => {
  test('and then initialised under its reference', async () => {
    const gateway = gatewayThatAnswers(ACCEPTED)
    const reply = await start([item, item], { gateway })
    expect(reply).toEqual({
      reference: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
      amount: 1_133,
      currency: 'GHS',
      email: payer.email,
      publicKey: 'pk_test',
      accessCode: 'access',
    })
    const { reference } = reply
    expect(gateway.initialized).toEqual([
      { reference, amountPesewas: 1_133, email: payer.email, metadata: { purpose: 'order', username: payer.username } },
    ])
    const line = { product: item.productId, network: null, offer: '1GB', receiver: item.phoneNumber, seen: 550, clientId: null }
    expect(await lastPayment()).toEqual({
      reference,
      purpose: 'order',
      price: 1_100,
      surcharge: 33,
      accessCode: 'access',
      status: 'open',
      reason: null,
      checkAt: new Date(shop.clock.now.getTime() + 20_000),
      createdAt: shop.clock.now,
      lines: [line, line],
    })
  })

  test('and each gets its own access code', async () => {
    await start([item], { gateway: gatewayThatAnswers({ outcome: 'accepted', accessCode: 'mine' }) })
    await start([item], { as: await makeUser(shop), gateway: gatewayThatAnswers({ outcome: 'accepted', accessCode: 'theirs' }) })
    expect((await lastPayment())?.accessCode).toBe('mine')
  })

  test('for the agent upgrade without a surcharge', async () => {
    const gateway = gatewayThatAnswers(ACCEPTED)
    expect((await start(null, { gateway })).amount).toBe(5_000)
    expect(gateway.initialized[0]?.metadata).toEqual({ purpose: 'agent-upgrade', username: payer.username })
    expect(await lastPayment()).toMatchObject({ purpose: 'agent-upgrade', price: 5_000, surcharge: 0, lines: null })
  })

  test.each([
    ['the refusal ends it', { outcome: 'rejected', reason: 'no such key' }, { status: 'failed', reason: 'no such key', checkAt: null }],
    [
      'silence leaves it open, to be asked about',
      { outcome: 'unknown', reason: 'silence' },
      { status: 'open', reason: null, checkAt: expect.any(Date) },
    ],
  ] as const)('%s', async (_name, outcome, row) => {
    const { ctx, logged } = makeCtx(shop, actorOf(payer))
    expect(await refusalOf(start([item], { gateway: gatewayThatAnswers(outcome), ctx }))).toMatchObject({
      status: 502,
      message: 'Card payment is not available at the moment. Nothing was charged. Please try again, or pay from your wallet.',
    })
    const noted = await lastPayment()
    expect(noted).toMatchObject({ ...row, accessCode: null })
    const msg = 'the card provider did not initialize a payment'
    expect(logged).toMatchObject([{ level: 'warn', msg, reference: noted?.reference, reason: outcome.reason }])
  })

  test('but not while purchases are paused', async () => {
    await shop.database.db.query(`insert into purchase_pauses (paused_at, found) values ($1, '[]')`, [shop.clock.now])
    const gateway = gatewayThatAnswers(ACCEPTED)
    expect(await refusalOf(start([item], { gateway }))).toMatchObject({ status: 503, code: 'PURCHASES_PAUSED' })
    expect([await lastPayment(), gateway.initialized]).toEqual([undefined, []])
    await shop.database.db.query(`update purchase_pauses set lifted_at = $1, lifted_by = $2, lift_reason = 'well'`, [
      shop.clock.now,
      payer._id,
    ])
    expect((await start([item])).amount).toBe(567)
  })

  test.each([
    ['Agent', 'You are already an agent.'],
    ['Admin', 'You are already an admin.'],
  ] as const)('but not for the upgrade of an %s', async (level, message) => {
    expect(await refusalOf(start(null, { level }))).toMatchObject({ status: 409, code: 'CONFLICT', message })
    expect(await lastPayment()).toBeUndefined()
  })
})

describe('a cart is priced by the server', () => {
  test.each([
    ['Customer', 5.5],
    ['Agent', 4.7],
    ['Admin', 4.7],
  ] as const)('for a payer of level %s at %d', async (level, amount) => {
    expect((await start([{ ...item, amount }], { level })).amount).toBe(Math.round(amount * 103))
    const other = amount === 5.5 ? 4.7 : 5.5
    expect((await refusalOf(start([{ ...item, amount: other }], { level }))).code).toBe('PRICE_CHANGED')
  })

  test('which names each line that cannot be bought, and why', async () => {
    const telecel = await findProduct(shop, 'Telecel')
    await shop.database.db.query(`update products set status = 'out of stock' where id = $1`, [telecel._id])
    const missing = '00000000-0000-4000-8000-000000000000'
    const refusal = await refusalOf(
      start([
        item,
        { ...item, amount: 5.51 },
        { ...item, offer: '999GB' },
        { ...item, productId: telecel._id, offer: '5GB', amount: 24.5 },
        { ...item, productId: missing },
      ]),
    )
    await shop.database.db.query(`update products set status = 'available' where id = $1`, [telecel._id])
    expect(refusal).toEqual({
      status: 409,
      code: 'PRICE_CHANGED',
      message: 'The price of MTN 1GB is now GHS 5.50. Nothing was charged.',
      paths: [
        'items.1.amount: The price of MTN 1GB is now GHS 5.50. Nothing was charged.',
        'items.2.offer: MTN 999GB is not sold here at the moment. Nothing was charged.',
        'items.3.offer: Telecel 5GB is not sold here at the moment. Nothing was charged.',
        'items.4.offer: 1GB is not sold here at the moment. Nothing was charged.',
      ],
    })
  })

  test('and the first refused line decides the error code', async () => {
    expect(
      (
        await refusalOf(
          start([
            { ...item, offer: '999GB' },
            { ...item, amount: 1 },
          ]),
        )
      ).code,
    ).toBe('NOT_AVAILABLE')
  })
})

describe("a payment's status is explained in a sentence", () => {
  async function confirm(reference: string) {
    const gateway = gatewayThat({ outcome: 'unknown', reason: 'silence' })
    return presentConfirmation(await confirmPayment(makeCtx(shop, actorOf(payer)).ctx, gateway, reference))
  }

  test.each([
    ['paid', paid(567), null],
    ['held', paid(566), 'GHS 5.66 was put into your wallet, because GHS 5.66 was paid of GHS 5.67.'],
    [
      'held',
      paid(567, { currency: 'NGN' }),
      'Your payment is held because it was paid in NGN, not in GHS. Please contact us with the reference.',
    ],
    ['failed', { outcome: 'reversed', reason: 'x' }, 'The card payment did not go through. Nothing was charged.'],
    ['open', { outcome: 'unknown', reason: 'silence' }, 'The card payment has not gone through yet.'],
  ] as const)('%s', async (status, says, message) => {
    const { reference } = await start([item])
    await settlePayment(makeCtx(shop).ctx, gatewayThat(says), reference)
    const { payment, orders, user } = await confirm(reference)
    expect(payment).toEqual({ reference, status, message, progress: null })
    expect([orders.length, user._id]).toEqual([status === 'paid' ? 1 : 0, payer._id])
  })

  test('but to nobody else', async () => {
    const { reference } = await start([item])
    const other = await makeUser(shop)
    const { message } = await refusalOf(confirmPayment(makeCtx(shop, actorOf(other)).ctx, gatewayThat(paid(567)), reference))
    expect(message).toBe('That payment does not exist.')
    expect((await lastPayment())?.status).toBe('open')
  })
})

test('an admin sees every held payment with its payer, its amount and the reason', async () => {
  const { reference } = await start([item])
  shop.clock.advance(1_000)
  await settlePayment(makeCtx(shop).ctx, gatewayThat(paid(566)), reference)
  const admin = await makeUser(shop, { level: 'Admin' })
  const list = async (query: Record<string, string>) => {
    const { body, headers } = await call<{ reference: string }[]>(shop, 'GET', '/payment', {
      as: admin,
      query: { status: 'held', ...query },
    })
    return { body, total: headers['x-total-count'] }
  }
  expect(await list({ search: reference })).toEqual({
    total: '1',
    body: [
      {
        reference,
        user: payer.username,
        phone: payer.phone,
        amount: 5.66,
        status: 'held',
        waits: null,
        reason: 'GHS 5.66 was paid of GHS 5.67',
        inWallet: true,
        createdAt: shop.clock.now.toISOString(),
      },
    ],
  })
  const all = await list({})
  expect([all.body[0]?.reference, all.total]).toEqual([reference, String(all.body.length)])
  expect((await list({ page: '1', pageSize: '5', search: payer.username })).body.map((one) => one.reference)).toEqual([reference])
  expect((await list({ search: 'nothing like it' })).total).toBe('0')
})
