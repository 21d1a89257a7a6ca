import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { RESERVED_FOR_MS } from '../server/features/wallet/wallet/reserve-balance.ts'
import { checkLedger } from '../server/ledger/check-ledger.ts'
import { returnDueReservations } from '../server/ledger/ledger.ts'
import { openTestShop, type TestShop } from './app.ts'
import { PASSWORD, registerUser } from './builders.ts'
import { type CartItem, type Heard, openSpecClient, type PopUpOptions, type SpecClient } from './spec-client.ts'
import { until } from './until.ts'

const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let shop: TestShop
let admin: SpecClient
let count = 0
const open: SpecClient[] = []

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
  // The provider dates its payments by the real clock.
  shop.clock.now = new Date()
  const owner = await registerUser(shop, { level: 'Admin' })
  admin = openClient()
  await admin.login(owner.phone, PASSWORD)
  await admin.listen()
})
afterEach(async () => {
  expect(await checkLedger(shop.database.db)).toEqual([])
})
afterAll(async () => {
  for (const client of open) client.signOut()
  await shop.close()
})

function openClient(): SpecClient {
  const client = openSpecClient(`${shop.url}/api`, popUp)
  open.push(client)
  return client
}

/** What the provider's pop-up does on its own page: begins a payment with the public key, and the payer pays it. */
async function popUp({ email, amount, currency, ref }: PopUpOptions): Promise<{ reference: string }> {
  const key = shop.sandbox!.cardProvider.publicKey
  const begun = await post<{ accessCode: string }>('', { key, email, amount, currency, ref })
  const { success } = await post<{ success: { reference: string } }>(`/${begun.accessCode}/pay`, {})
  return success
}

async function post<T>(path: string, body: object): Promise<T> {
  const reply = await fetch(`${shop.url}/sandbox/card/transactions${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(await reply.text())
  return (await reply.json()) as T
}

async function openAccount(): Promise<SpecClient> {
  count += 1
  const client = openClient()
  const phone = `020000${String(count).padStart(4, '0')}`
  await client.register({ username: `kofi ${count}`, email: `kofi${count}@example.com`, phone, password: PASSWORD })
  return client
}

async function openFundedAccount(cedis: number): Promise<SpecClient> {
  const client = await openAccount()
  await admin.changeBalance(client.session()._id, cedis)
  return client
}

async function item(client: SpecClient, network: string, phoneNumber: string): Promise<CartItem> {
  const { packages, image } = (await client.products()).find((product) => product.network === network && product.status === 'available')!
  const { offer, priceCustomer, priceAgent } = packages[0]!
  const [self] = await client.users()
  return {
    id: Math.random(),
    service: network,
    phoneNumber,
    offer,
    amount: self?.userLevel === 'Agent' ? priceAgent : priceCustomer,
    image,
  }
}

async function cartOf(client: SpecClient): Promise<CartItem[]> {
  return [
    await item(client, 'MTN', '0551234567'),
    await item(client, 'AirtelTigo', '0271234567'),
    await item(client, 'Telecel', '0201234567'),
  ]
}

const totalOf = (cart: readonly CartItem[]) => cart.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
const balanceOf = async (client: SpecClient) => Math.round((await client.balances())[0]!.balance * 100)
const hears = (client: SpecClient, event: Heard['event'], record: object) =>
  until(async () => client.heard.some((one) => one.event === event && matches(one.record, record)))
const matches = (record: Record<string, unknown>, wanted: object) => Object.entries(wanted).every(([key, value]) => record[key] === value)

describe('the client of the specification', () => {
  test('registers, signs in again, and sees itself and the shop alone', async () => {
    const client = await openAccount()
    const { _id, email } = client.session()
    client.signOut()
    await expect(client.login('0200000001', 'not the password')).rejects.toThrow(/wrong/i)
    expect(await client.login('0200000001', PASSWORD)).toMatchObject({ _id, email, userLevel: 'Customer', isAdmin: false, balance: 0 })
    expect((await client.users()).map((user) => user._id)).toEqual([_id])
    expect(await client.orders()).toEqual([])
    expect((await client.products()).map(({ network }) => network).toSorted()).toEqual(
      ['AFA', 'AirtelTigo', 'Airtime', 'MTN', 'MTN PULSE', 'Telecel', 'WAEC Checkers'].toSorted(),
    )
    expect(await client.notice()).toMatchObject({ momoPhoneNumber: expect.any(String), momoAccountName: expect.any(String) })
  })

  test('forgets its password and chooses another by the link in the mail', async () => {
    const client = await openAccount()
    const { email } = client.session()
    client.signOut()
    expect((await client.forgetPassword(email)).message).toBe('Password reset email sent. Please check your inbox.')
    const mailTo = () => shop.sandbox!.mail.messages().find(({ to }) => to.includes(email))?.body ?? ''
    await until(async () => /reset-password\//.test(mailTo()))
    const token = /reset-password\/([\w-]+)/.exec(mailTo())![1]!
    await client.resetPassword(token, 'another good password')
    expect((await client.login(`020000${String(count).padStart(4, '0')}`, 'another good password')).email).toBe(email)
  })

  test('requests a recharge; one is approved, another declined, and both sides hear of it', async () => {
    const client = await openAccount()
    await client.listen()
    await expect(client.requestRecharge(49.99)).rejects.toThrow(/50/)
    const [{ rechargeId }, other] = [await client.requestRecharge(75.5), await client.requestRecharge(60)]
    await hears(admin, 'rechargeUpdated', { rechargeId, status: 'pending' })
    const asked = (await admin.recharges()).find((one) => one.rechargeId === rechargeId)!
    expect(asked).toMatchObject({
      amount: 75.5,
      status: 'pending',
      user: { _id: client.session()._id, username: client.session().username },
    })
    expect(await admin.approveRecharge(asked._id)).toBe(75.5)
    await admin.declineRecharge(other.rechargeId)
    await expect(admin.approveRecharge(other.rechargeId)).rejects.toThrow()
    await hears(client, 'rechargeUpdated', { rechargeId, status: 'approved' })
    await hears(client, 'CurrUserUpdated', { balance: 75.5 })
    expect((await client.recharges()).map(({ status }) => status)).toEqual(['declined', 'approved'])
  })

  test('debits its wallet and creates one order for each of three items, each with a reference of its own', async () => {
    const client = await openFundedAccount(100)
    await client.listen()
    const cart = await cartOf(client)
    const orders = await client.buyFromWallet(cart)
    expect(orders.map(({ network, receiver, totalAmount, user }) => [network, receiver, totalAmount, user])).toEqual(
      cart.map(({ service, phoneNumber, amount }) => [service, phoneNumber, amount, client.session().username]),
    )
    expect(await balanceOf(client)).toBe(10_000 - totalOf(cart))
    await hears(client, 'ordersUpdated', { _id: orders[2]!._id })
    await hears(admin, 'ordersUpdated', { _id: orders[2]!._id })
    expect((await client.orders()).map(({ _id }) => _id)).toEqual(orders.map(({ _id }) => _id).reverse())
  })

  test('cannot buy more than its wallet holds, and loses nothing by a debit that nothing follows', async () => {
    const client = await openFundedAccount(10)
    const cart = [await item(client, 'MTN', '0551234567')]
    await expect(client.buyFromWallet([...cart, ...cart, ...cart])).rejects.toThrow(/balance/i)
    await client.debitSelf(10)
    await client.debitSelf(cart[0]!.amount).catch(() => undefined)
    const order = await client.createOrder(cart[0]!, String(Date.now()))
    expect([order.totalAmount, await balanceOf(client)]).toEqual([cart[0]!.amount, 1_000 - totalOf(cart)])
    await expect(client.changeBalance(client.session()._id, 5)).rejects.toThrow()
    await expect(client.changeBalance(admin.session()._id, -5)).rejects.toThrow()
  })

  test('debits twice before it orders, and pays what its orders cost', async () => {
    const client = await openAccount()
    const cart = await cartOf(client)
    const held = totalOf(cart) / 100
    await admin.changeBalance(client.session()._id, held + 1)
    await client.debitSelf(held)
    // The answer to the first was lost, say.
    await client.debitSelf(held).catch(() => undefined)
    for (const one of cart) await client.createOrder(one, String(Date.now()))
    expect(await balanceOf(client)).toBe(100)
    expect(await client.orders()).toHaveLength(3)
  })

  test('creates an order without a debit, and pays for it once', async () => {
    const client = await openFundedAccount(30)
    const wanted = await item(client, 'MTN', '0551234567')
    await client.createOrder(wanted, String(Date.now()))
    expect(await balanceOf(client)).toBe(3_000 - totalOf([wanted]))
    const poor = await openAccount()
    await expect(poor.createOrder(wanted, String(Date.now()))).rejects.toThrow(/balance/i)
    expect(await poor.orders()).toEqual([])
  })

  test('debits and never creates: the money is back once its time is over, and nothing was bought', async () => {
    const client = await openFundedAccount(30)
    expect((await client.debitSelf(12.5)).balance).toBe(17.5)
    expect(await balanceOf(client)).toBe(1_750)
    shop.clock.advance(RESERVED_FOR_MS + 1)
    await returnDueReservations(shop.database.db, shop.clock.now)
    expect(await balanceOf(client)).toBe(3_000)
    expect(await client.orders()).toEqual([])
    shop.clock.now = new Date()
  })

  test('is banned between the debit and the order: buys nothing, and has all its money when it may come back', async () => {
    const client = await openFundedAccount(30)
    const { _id } = client.session()
    const wanted = await item(client, 'MTN', '0551234567')
    const phone = `020000${String(count).padStart(4, '0')}`
    await client.debitSelf(wanted.amount)
    await admin.setStatus(_id, 'Banned')
    await expect(client.createOrder(wanted, String(Date.now()))).rejects.toThrow()
    await admin.setStatus(_id, 'Active')
    client.signOut()
    await client.login(phone, PASSWORD)
    expect(await client.orders()).toEqual([])
    // What is still set aside pays for the next order, and the rest is in the wallet.
    await client.createOrder(wanted, String(Date.now()))
    expect(await balanceOf(client)).toBe(3_000 - totalOf([wanted]))
  })

  test('buys in two tabs at once, each debiting and creating in between, and pays for each order once', async () => {
    const one = await openFundedAccount(100)
    const other = openClient()
    await other.login(`020000${String(count).padStart(4, '0')}`, PASSWORD)
    const [first, second] = [await cartOf(one), await cartOf(other)]
    await one.debitSelf(totalOf(first) / 100)
    await other.debitSelf(totalOf(second) / 100)
    for (const [at, wanted] of first.entries()) {
      await Promise.all([one.createOrder(wanted, `1${at}${Date.now()}`), other.createOrder(second[at]!, `2${at}${Date.now()}`)])
    }
    const bought = await one.orders()
    expect([bought.length, new Set(bought.map(({ _id }) => _id)).size]).toEqual([6, 6])
    expect(await balanceOf(other)).toBe(10_000 - totalOf([...first, ...second]))
    // Both at once with money for one of them.
    const poor = await openFundedAccount(first[0]!.amount)
    const poorToo = openClient()
    await poorToo.login(`020000${String(count).padStart(4, '0')}`, PASSWORD)
    const tries = await Promise.allSettled([poor.buyFromWallet([first[0]!]), poorToo.buyFromWallet([first[0]!])])
    const made = (await poor.orders()).length
    expect(tries.filter(({ status }) => status === 'fulfilled').length).toBe(made)
    expect(await balanceOf(poor)).toBe(totalOf([first[0]!]) * (1 - made))
  })

  test('pays for a cart of three by one card payment of its own, and the wallet pays nothing', async () => {
    const client = await openFundedAccount(20)
    const cart = await cartOf(client)
    const { reference, orders } = await client.buyByCard(cart)
    expect(orders.map(({ network, totalAmount }) => [network, totalAmount])).toEqual(cart.map(({ service, amount }) => [service, amount]))
    expect(await balanceOf(client)).toBe(2_000)
    await expect(client.createOrder(cart[0]!, reference)).rejects.toThrow()
    const stranger = await openFundedAccount(20)
    await expect(stranger.createOrder(cart[0]!, reference)).rejects.toThrow()
    expect(await balanceOf(stranger)).toBe(2_000)
  })

  test('becomes an agent by paying the fee at the provider, and buys at the agent’s price', async () => {
    const client = await openFundedAccount(50)
    await client.listen()
    await expect(client.becomeAgent()).rejects.toThrow(/fee has not been paid/)
    await client.pay(5_000)
    expect(await client.becomeAgent()).toMatchObject({ _id: client.session()._id, userLevel: 'Agent' })
    await hears(client, 'CurrUserUpdated', { userLevel: 'Agent' })
    const cart = [await item(client, 'MTN', '0551234567')]
    await client.buyFromWallet(cart)
    expect(await balanceOf(client)).toBe(5_000 - totalOf(cart))
    expect((await client.products()).find(({ network }) => network === 'MTN')!.packages[0]!.priceAgent).toBe(cart[0]!.amount)
  })

  test('asks for the delivery of an AirtelTigo item and is told its status', async () => {
    const client = await openFundedAccount(50)
    const wanted = await item(client, 'AirtelTigo', '0271234567')
    const reference = String(Date.now())
    const order = await client.createOrder(wanted, reference)
    const status = expect.any(String)
    const asked = { phone: wanted.phoneNumber, offer: wanted.offer }
    expect(await client.proxy({ ...asked, reference })).toEqual({ data: { status } })
    expect(await client.proxy({ ...asked, reference: order.reference })).toEqual({ data: { status } })
    const byCard = await client.buyByCard([await item(client, 'MTN', '0551234567'), wanted])
    expect(await client.proxy({ ...asked, reference: byCard.reference })).toEqual({ data: { status } })
    await expect((await openAccount()).proxy({ ...asked, reference })).rejects.toThrow()
  })
})

describe('the same client of an admin', () => {
  test('sees everybody, sets level and status, and credits and debits wallets with numbers as text', async () => {
    const client = await openFundedAccount(30)
    await client.listen()
    const { _id } = client.session()
    expect((await admin.users()).find((user) => user._id === _id)).toMatchObject({ balance: 30, status: 'Active', userLevel: 'Customer' })
    expect((await admin.setLevel(_id, 'Agent')).userLevel).toBe('Agent')
    expect([await admin.changeBalance(_id, '12.50'), await admin.changeBalance(_id, '-40')]).toEqual([42.5, 2.5])
    await expect(admin.changeBalance(_id, -3)).rejects.toThrow()
    await hears(client, 'CurrUserUpdated', { balance: 2.5, userLevel: 'Agent' })
    await hears(admin, 'userUpdated', { _id, balance: 2.5 })
    expect((await admin.setStatus(_id, 'Banned')).status).toBe('Banned')
    await expect(client.orders()).rejects.toThrow()
    expect((await admin.setStatus(_id, 'Active')).status).toBe('Active')
  })

  test('processes and rejects orders once each; what is rejected is back in the wallet', async () => {
    const client = await openFundedAccount(100)
    await client.listen()
    const mtn = await item(client, 'MTN', '0551234567')
    const [first, second] = await client.buyFromWallet([mtn, { ...mtn, phoneNumber: '0551234568' }])
    expect((await admin.orders()).filter(({ user }) => user === client.session().username)).toHaveLength(2)
    expect(await admin.decideOrder(first!._id, 'completed')).toMatchObject({ status: 'completed', actionTimestamp: expect.any(String) })
    expect(await admin.decideOrder(second!._id, 'rejected')).toMatchObject({ status: 'rejected', actionTimestamp: expect.any(String) })
    await expect(admin.decideOrder(second!._id, 'completed')).rejects.toThrow()
    await hears(client, 'ordersUpdated', { _id: second!._id, status: 'rejected' })
    expect(await balanceOf(client)).toBe(10_000 - totalOf([mtn]))
  })

  test('creates, changes and deletes a product whose prices are numeric text', async () => {
    const visitor = openClient()
    const made = await admin.createProduct({
      network: 'Telecel',
      image: PIXEL,
      status: 'available',
      packages: [{ offer: '7GB', priceCustomer: '16', priceAgent: '14.50' }],
    })
    expect(made).toMatchObject({
      network: 'Telecel',
      status: 'available',
      packages: [{ offer: '7GB', priceCustomer: 16, priceAgent: 14.5 }],
    })
    await hears(admin, 'productsUpdated', { _id: made._id })
    // The client sends back what it has: the image's address.
    const changed = await admin.updateProduct(made._id, {
      network: 'Telecel',
      image: made.image,
      status: made.status,
      packages: [{ ...made.packages[0]!, priceCustomer: '17.25' }],
    })
    expect([changed.image, changed.packages[0]!.priceCustomer]).toEqual([made.image, 17.25])
    expect(await admin.setProductStatus(made._id, 'out of stock')).toBe('out of stock')
    expect((await visitor.products()).find(({ _id }) => _id === made._id)?.status).toBe('out of stock')
    await admin.deleteProduct(made._id)
    expect((await visitor.products()).some(({ _id }) => _id === made._id)).toBe(false)
    const bad = { network: 'Telecel', image: PIXEL, status: 'available', packages: [{ offer: '7GB', priceCustomer: 'x', priceAgent: 1 }] }
    await expect(admin.createProduct(bad)).rejects.toThrow('Price must be a number')
  })

  test('writes the notice and the payment details, which everybody reads and hears of', async () => {
    const client = await openAccount()
    await client.listen()
    await admin.setNotice('Closed on Friday from noon.')
    await admin.setMomoDetails('0249876543', 'Esi Owusu')
    expect(await openClient().notice()).toEqual({
      noticeContent: 'Closed on Friday from noon.',
      momoPhoneNumber: '0249876543',
      momoAccountName: 'Esi Owusu',
    })
    await hears(client, 'noticeUpdated', { momoAccountName: 'Esi Owusu' })
    await expect(client.setNotice('Mine')).rejects.toThrow()
    await expect(admin.setNoticeWithoutToken('Nobody’s')).rejects.toThrow()
  })
})
