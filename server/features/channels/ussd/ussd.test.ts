import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PROTOCOLS, type UssdProtocol } from '../../../../sandbox/ussd/protocols.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { Order } from '../../../../shared/orders.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import type { UssdSettings } from '../../../../shared/ussd.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, makeUser, PASSWORD } from '../../../../test/builders.ts'
import { isWaitedFor } from '../../../../test/locks.ts'
import { until } from '../../../../test/until.ts'

const PIN = '7392'
let shop: TestShop
let owner: SignedInUser
let secret: string

beforeAll(async () => {
  shop = await openTestShop({ rateLimits: true })
  owner = await makeUser(shop, { level: 'Admin' })
  const { body } = await call<{ address: string }>(shop, 'POST', '/admin/ussd/address', { as: owner })
  secret = body.address.split('/').at(-1) as string
})
afterAll(() => shop.close())
beforeEach(async () => {
  shop.clock.advance(60_000)
  await settings({ gateway: 'arkesel' })
})

const settings = (body: object) => call<UssdSettings & ErrorBody>(shop, 'PUT', '/admin/ussd', { as: owner, body })
const channel = (body: object) => call<ErrorBody>(shop, 'PUT', '/admin/channel/ussd', { as: owner, body })

async function buyer({ balance = 20, pin = PIN as string | null, level = 'Customer' as 'Customer' | 'Agent' } = {}) {
  const user = await makeUser(shop, { balance, level, phone: `024${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}` })
  if (pin !== null) await call(shop, 'POST', '/user/me/pin', { as: user, body: { password: PASSWORD, pin, atCheckout: false } })
  return user
}

type Phone = { say: (text: string) => Promise<string>; again: () => Promise<string>; ended: () => boolean; session: string }

/** A phone of which each answer comes five seconds after the screen. `again` sends the last request once more. */
function dial(phone: string, protocol: UssdProtocol = 'arkesel', session = randomUUID()): Phone {
  const { asRequest, readReply } = PROTOCOLS[protocol]
  let turn = 0
  let goesOn = true
  let last: object = {}
  const post = async () => {
    const { body } = await call<Record<string, unknown>>(shop, 'POST', `/ussd/${secret}`, { body: last })
    const answer = readReply(body)
    goesOn = answer?.goesOn ?? false
    return answer?.message ?? JSON.stringify(body)
  }
  return {
    session,
    ended: () => !goesOn,
    say(text) {
      turn += 1
      shop.clock.advance(5_000)
      last = asRequest({ session, phone, text, turn, kind: turn === 1 ? 'first' : 'next' })
      return post()
    },
    again: post,
  }
}

async function saying(phone: Phone, ...texts: string[]): Promise<string> {
  let screen = await phone.say('*928#')
  for (const text of texts) screen = await phone.say(text)
  return screen
}

/** Says something, and the process is killed after it has acted and before it has kept the answer. */
async function sayAndLoseIt(phone: Phone, text: string): Promise<string> {
  const { rows } = await shop.database.db.query<{ kept: object }>('select to_jsonb(c) as kept from conversations c where session = $1', [
    phone.session,
  ])
  const said = await phone.say(text)
  await shop.database.db.query(
    `update conversations set state = $2::jsonb -> 'state', screen = $2::jsonb -> 'screen', requests = requests[:cardinality(requests) - 1], answered_at = null where session = $1`,
    [phone.session, JSON.stringify(rows[0]?.kept)],
  )
  return said
}

/** Newest first. */
async function ordersOf(user: SignedInUser) {
  const { rows } = await shop.database.db.query<{ id: string; number: string }>(
    'select id, seq::text as number from orders where user_id = $1 order by seq desc',
    [user._id],
  )
  return rows
}

test('a customer buys for themselves: the network by the number, packages by price, price and number, PIN, and the order’s number', async () => {
  const user = await buyer()
  const phone = dial(user.phone)
  expect(await phone.say('*928#')).toBe(`Dwadi\n1. Buy for me\n2. Buy for another\n3. Buy again\n4. Balance\n5. Track\n6. Help`)
  const packages = await phone.say('1')
  expect(packages).toMatch(/^MTN for 024 \d{3} \d{4}\n1\. 1GB GHS 5\.50\n2\. 2GB GHS 10\.50\n/)
  expect(packages).toContain('8. Not MTN?\n9. More\n0. Back')
  const spaced = `${user.phone.slice(0, 3)} ${user.phone.slice(3, 6)} ${user.phone.slice(6)}`
  expect(await phone.say('2')).toBe(`MTN 2GB to ${spaced}\nGHS 10.50 from your wallet. Enter your PIN to buy.\n0. Back`)
  const [said, [order]] = [await phone.say(PIN), await ordersOf(user)]
  expect(said).toBe(`Thank you! Order ${order?.number}: MTN 2GB to ${spaced}. Wallet: GHS 9.50. Usually 5 minutes to 2 hours.`)
  expect(phone.ended()).toBe(true)
  expect(await balanceOf(shop, user._id)).toBe(950)
  const { rows } = await shop.database.db.query<{ kept: string }>(
    `select coalesce(string_agg(c::text, ''), '') as kept from conversations c where session = $1`,
    [phone.session],
  )
  expect(rows[0]?.kept).toContain(user.phone)
  expect(rows[0]?.kept).not.toContain(PIN)
  const { body } = await call<{ order: Order }>(shop, 'GET', `/order/${order?.id}`, { as: owner })
  const own = await call<{ order: Order }>(shop, 'GET', `/order/${order?.id}`, { as: user })
  expect([body.order.channel, own.body.order.channel]).toEqual(['ussd', undefined])
})

test('screens keep to the characters of the gateway, and lists go on overleaf and back', async () => {
  const user = await buyer()
  for (const mostCharacters of [120, 160, 182]) {
    await settings({ mostCharacters })
    const phone = dial(user.phone)
    let screen = await saying(phone, '1')
    const seen = new Set<string>()
    for (let page = 0; screen.includes('9. More') && page < 20; page += 1) {
      expect(screen.length).toBeLessThanOrEqual(mostCharacters)
      for (const [, offer = ''] of screen.matchAll(/\d\. (\d+GB)/g)) seen.add(offer)
      screen = await phone.say('9')
    }
    for (const [, offer = ''] of screen.matchAll(/\d\. (\d+GB)/g)) seen.add(offer)
    expect([...seen]).toEqual([
      '1GB',
      '2GB',
      '3GB',
      '4GB',
      '5GB',
      '6GB',
      '8GB',
      '10GB',
      '15GB',
      '20GB',
      '25GB',
      '30GB',
      '40GB',
      '50GB',
      '100GB',
    ])
    expect(await phone.say('0')).toContain('9. More')
  }
  const long = 'Everything that one can want for a whole month, and more 1GB'
  await settings({ mostCharacters: 120 })
  await shop.database.db.query(`update packages set offer = $1 where offer = '1GB' and price_customer_pesewas = 550`, [long])
  expect(await saying(dial(user.phone), '1', '1')).toMatch(/^MTN Everything that one can want. to .* Enter your PIN to buy\.\n0\. Back$/s)
  await shop.database.db.query(`update packages set offer = '1GB' where offer = $1`, [long])
  await settings({ mostCharacters: 160 })
})

test('whatever a package and the shop are called, and whatever it costs, each screen fits and has its way on and back', async () => {
  await settings({ mostCharacters: 120 })
  await channel({ mostPerOrder: 9_999, mostPerDay: 9_999 })
  const rename = `update packages set offer = $1 || offer, price_customer_pesewas = price_customer_pesewas + $2 where`
  const { rows } = await shop.database.db.query<{ product_id: string }>(
    `select product_id from packages where product_id in (select id from products where network = 'AirtelTigo') limit 1`,
  )
  await shop.database.db.query(`${rename} product_id = $3`, ['Everything that one can want for a month: ', 100_000, rows[0]?.product_id])
  const phones = [
    await makeUser(shop, { balance: 50_000, phone: `026${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}` }),
    await makeUser(shop, { balance: 1, phone: `026${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}` }),
  ]
  for (const user of phones)
    await call(shop, 'POST', '/user/me/pin', { as: user, body: { password: PASSWORD, pin: PIN, atCheckout: false } })
  for (const user of phones) {
    for (const keys of [
      ['1'],
      ['1', '9'],
      ['1', '9', '1'],
      ['1', '1'],
      ['1', '1', '12'],
      ['1', '1', '1111'],
      ['1', '1', PIN],
      ['1', '1', '1', PIN],
      ['5', '1'],
    ]) {
      await shop.database.db.query('delete from conversations')
      const phone = dial(user.phone)
      const screen = await saying(phone, ...keys)
      expect(screen.length).toBeLessThanOrEqual(120)
      if (!phone.ended()) expect([keys, screen]).toEqual([keys, expect.stringMatching(/\n0\. Back$/)])
      if (screen.startsWith('AirtelTigo for'))
        expect(screen).toMatch(/\n1\. Everything.* GHS 1,0\d\d\.\d\d\n8\. Not AirtelTigo\?\n9\. More\n0\. Back$/)
      if (phone.ended()) expect(screen).toMatch(/^Thank you! Order \d+: .*\.$/)
    }
  }
  await shop.database.db.query(
    `update packages set offer = substr(offer, 43), price_customer_pesewas = price_customer_pesewas - 100000 where product_id = $1`,
    [rows[0]?.product_id],
  )
  await channel({ mostPerOrder: 200, mostPerDay: 500 })
  await settings({ mostCharacters: 160 })
})

test('what is said about an answer takes the place of what was said about the one before, and the question stays', async () => {
  const user = await buyer()
  const phone = dial(user.phone)
  const asked = await saying(phone, '1', '1')
  expect(await phone.say('1111')).toBe(`That is not your PIN. You have 4 tries left.\n${asked}`)
  expect(await phone.say('2222')).toBe(`That is not your PIN. You have 3 tries left.\n${asked}`)
  expect(await phone.say('x')).toBe(`A PIN has 4 to 6 digits.\n${asked}`)
  // Where there is no room for both, the next one that fits has the question again.
  await settings({ mostCharacters: 120 })
  expect(await phone.say('3333')).toBe('That is not your PIN. You have 2 tries left.\n0. Back')
  await settings({ mostCharacters: 160 })
  expect(await phone.say('x')).toBe(`A PIN has 4 to 6 digits.\n${asked}`)
})

test('who is banned in the middle is told so at the next key: they see and buy nothing any more', async () => {
  const user = await buyer()
  const phone = dial(user.phone)
  await saying(phone, '1', '1')
  await shop.database.db.query(`update users set status = 'Banned' where id = $1`, [user._id])
  expect(await phone.say(PIN)).toContain('has been banned')
  expect([phone.ended(), await ordersOf(user)]).toEqual([true, []])
})

test('for another number, of another network than its prefix says; a wrong number and a wrong key are asked again', async () => {
  const user = await buyer({ balance: 50 })
  const phone = dial(user.phone)
  expect(await saying(phone, '2', '12345')).toContain('That is not a mobile number of Ghana.')
  expect(await phone.say('+233 20 765 4321')).toContain('Telecel for 020 765 4321')
  expect(await phone.say('7777')).toContain('Please choose from the list.')
  expect(await phone.say('8')).toMatch(/Which network is 020 765 4321\?\n1\. MTN/)
  await phone.say('1')
  expect(await phone.say('1')).toContain('(020 is usually Telecel)')
  expect(await phone.say('12')).toContain('A PIN has 4 to 6 digits.')
  expect(await phone.say(PIN)).toContain('MTN 1GB to 020 765 4321')
})

test('what was wrong is said once above the screen, and a list that leaves no room for it is shown again instead', async () => {
  const user = await buyer()
  const phone = dial(user.phone)
  const asked = await saying(phone, '2', '12345')
  expect(asked).toBe('That is not a mobile number of Ghana.\nWhich number is it for?\n0. Back')
  expect(await phone.say('67890')).toBe(asked)
  for (const mostCharacters of [100, 120, 160, 182]) {
    await settings({ mostCharacters })
    const other = dial(user.phone)
    const list = await saying(other, '1')
    for (const _ of ['once', 'twice']) {
      const again = await other.say('7777')
      expect(again.endsWith(list.slice(list.indexOf('\n'))), again).toBe(true)
      expect(again.length).toBeLessThanOrEqual(mostCharacters)
    }
  }
})

test('buying again and the balance ask for the PIN until it was given from this phone, and again after the login changed', async () => {
  const user = await buyer()
  await saying(dial(user.phone), '1', '1', PIN)
  await shop.database.db.query('delete from ussd_phones where user_id = $1', [user._id])
  const phone = dial(user.phone)
  expect(await saying(phone, '4')).toBe('Enter your PIN to go on.\n0. Back')
  expect(await phone.say('1111')).toContain('4 tries left')
  expect(await phone.say(PIN)).toContain('Your wallet: GHS 14.50')
  await phone.say('0')
  expect(await phone.say('3')).toMatch(/^Buy again:\n1\. 1GB \d{10} GHS 5\.50\n0\. Back$/)
  expect(await phone.say('1')).toMatch(/^Order \d+, MTN 1GB to .*, is still on its way\. Buy another one\?\n1\. Buy another\n0\. Back$/)
  await phone.say('1')
  expect(await phone.say(PIN)).toContain('Thank you!')
  expect(await balanceOf(shop, user._id)).toBe(900)
  await shop.database.db.query('update users set login_changed_at = $2 where id = $1', [user._id, shop.clock.now])
  expect(await saying(dial(user.phone), '4')).toContain('Enter your PIN')
})

test.each([
  ['a purchase', ['1', '1']],
  ['a look at the balance', ['4']],
])('%s comes to nothing when the number goes to somebody else while the PIN is checked', async (_, keys) => {
  const user = await buyer()
  const phone = dial(user.phone)
  expect(await saying(phone, ...keys)).toContain('Enter your PIN')
  const moving = await shop.database.db.connect()
  try {
    await moving.query('begin')
    await moving.query('update users set phone = $2 where id = $1', [user._id, `020${user.phone.slice(3)}`])
    const said = phone.say(PIN)
    await until(() => isWaitedFor(moving))
    await moving.query('commit')
    expect(await said).toBe('This number has no account any more. Nothing was bought.')
  } finally {
    await moving.query('rollback')
    moving.release()
  }
  expect(await ordersOf(user)).toEqual([])
})

test('five wrong PINs lock it, and nothing is bought', async () => {
  const user = await buyer()
  const phone = dial(user.phone)
  await saying(phone, '1', '1', '1111', '2222', '3333', '4444')
  expect(await phone.say('5555')).toContain('locked')
  expect(phone.ended()).toBe(true)
  expect(await saying(dial(user.phone), '1', '1')).toContain('Your PIN is locked')
  expect(await ordersOf(user)).toEqual([])
})

test('who has no PIN, or too little, is told what to do; so is a number without an account, which can still track', async () => {
  const poor = await buyer({ balance: 1 })
  expect(await saying(dial(poor.phone), '1', '1')).toMatch(/^Your wallet has too little; 1GB costs GHS 5\.50\. Top up at shop\.test/)
  const without = await buyer({ pin: null })
  expect(await saying(dial(without.phone), '1', '1')).toContain('You need a PIN for this. Choose one at shop.test')
  const rich = await buyer()
  await saying(dial(rich.phone), '1', '1', PIN)
  const [order] = await ordersOf(rich)
  const stranger = dial('0209999999')
  expect(await stranger.say('*928#')).toContain('020 999 9999 has no account yet. Register at shop.test')
  await stranger.say('5')
  expect(await stranger.say(String(order?.number))).toContain(`Which number was order ${order?.number} for?`)
  expect(await stranger.say('0241111111')).toContain('We found no order')
  await stranger.say('0')
  await stranger.say('5')
  await stranger.say(String(order?.number))
  expect(await stranger.say(rich.phone)).toContain('is pending.')
  expect(await saying(dial(rich.phone), '5', '1')).toContain(`Order ${order?.number}: MTN 1GB`)
  await call(shop, 'PUT', `/user/${poor._id}/status`, { as: owner, body: { status: 'Banned' } })
  await shop.database.db.query(`update users set status = 'Banned' where id = $1`, [poor._id])
  expect(await saying(dial(poor.phone))).toContain('banned')
})

describe('a purchase happens once', () => {
  test.each(['arkesel', 'nalo', 'hubtel'] as const)('however often %s repeats a request, at once or later', async (protocol) => {
    await settings({ gateway: protocol })
    const user = await buyer()
    const phone = dial(user.phone, protocol)
    await saying(phone, '1')
    const confirm = await phone.say('1')
    expect(await phone.again()).toBe(confirm)
    const said = await phone.say(PIN)
    expect(said).toContain('Thank you!')
    expect(await Promise.all([phone.again(), phone.again(), phone.again()])).toEqual([said, said, said])
    shop.clock.advance(60_000)
    expect(await phone.again()).toBe(said)
    const other = dial(user.phone, protocol)
    await saying(other, '1', '1', '1')
    const first = other.say(PIN)
    const all = await Promise.all([first, other.again(), other.again()])
    expect(new Set(all).size).toBe(1)
    expect((await ordersOf(user)).length).toBe(2)
    expect(await balanceOf(shop, user._id)).toBe(900)
  })

  test('a wrong PIN that is sent twice is one try, and a late or early request of Hubtel’s changes nothing', async () => {
    const user = await buyer()
    const phone = dial(user.phone)
    await saying(phone, '1', '1')
    const wrong = await phone.say('1111')
    expect([wrong, await phone.again()]).toEqual([expect.stringContaining('4 tries left'), wrong])
    await settings({ gateway: 'hubtel' })
    const other = await buyer()
    const numbered = dial(other.phone, 'hubtel')
    const menu = await saying(numbered)
    const ask = (Sequence: number, Message: string) =>
      call<{ Message: string }>(shop, 'POST', `/ussd/${secret}`, {
        body: {
          ...PROTOCOLS.hubtel.asRequest({ session: numbered.session, phone: other.phone, text: Message, turn: Sequence, kind: 'next' }),
        },
      })
    const packages = (await ask(2, '1')).body.Message
    expect((await ask(1, '6')).body.Message).toBe(packages)
    expect((await ask(5, '1')).body.Message).toBe(packages)
    expect((await ask(6, '0')).body.Message).toBe(menu)
  })

  test('after a time-out it is offered again; one whose reply was lost is told instead, also by another process that had not finished', async () => {
    const user = await buyer()
    await saying(dial(user.phone), '1', '2')
    const next = dial(user.phone)
    expect(await next.say('*928#')).toMatch(/^You were buying MTN 2GB to .*, GHS 10\.50\. Continue\?\n1\. Continue\n2\. Start again$/)
    expect(await next.say('1')).toContain('Enter your PIN to buy.')
    const said = await sayAndLoseIt(next, PIN)
    expect(await next.again()).toContain(said.slice(0, 30))
    expect(await dial(user.phone).say('*928#')).toMatch(/^Order \d+ is in: MTN 2GB to/)
    expect((await ordersOf(user)).length).toBe(1)
    shop.clock.advance(16 * 60_000)
    expect(await dial(user.phone).say('*928#')).toMatch(/^Dwadi\n/)
  })

  test('and is told of when its answer was lost and the PIN is locked since', async () => {
    const user = await buyer()
    const phone = dial(user.phone)
    await saying(phone, '1', '2')
    await sayAndLoseIt(phone, PIN)
    const until = new Date(shop.clock.now.getTime() + 3_600_000)
    await shop.database.db.query('update transaction_pins set locked_until = $2 where user_id = $1', [user._id, until])
    expect(await phone.again()).toMatch(/^Order \d+ is in: MTN 2GB to/)
  })

  test('is offered again for a quarter of an hour after it was begun, also when the gateway gives an old session anew', async () => {
    const user = await buyer()
    const phone = dial(user.phone)
    await phone.say('*928#')
    shop.clock.advance(60 * 60_000)
    expect(await saying(phone, '1', '2')).toContain('Enter your PIN')
    shop.clock.advance(14 * 60_000)
    expect(await dial(user.phone).say('*928#')).toMatch(/^You were buying MTN 2GB/)
  })

  test('and asks before the same bundle goes to the same number twice, also of two that are confirmed at the same moment', async () => {
    const user = await buyer({ balance: 100 })
    const phones = [dial(user.phone), dial(user.phone), dial(user.phone)]
    for (const phone of phones) {
      // The second and third are asked first whether they go on with what the first was buying.
      await saying(phone)
      if ((await phone.say('2')).startsWith('Dwadi')) await phone.say('2')
      await phone.say('0241234567')
      expect(await phone.say('2')).toContain('Enter your PIN to buy.')
    }
    const said = await Promise.all(phones.map((phone) => phone.say(PIN)))
    expect(said.filter((text) => text.startsWith('Thank you!'))).toHaveLength(1)
    expect(said.filter((text) => /^Order \d+, MTN 2GB to 024 123 4567, is still on its way\. Buy another one\?/.test(text))).toHaveLength(2)
    expect([(await ordersOf(user)).length, await balanceOf(shop, user._id)]).toEqual([1, 8950])
    const asked = phones[said.findIndex((text) => text.startsWith('Order'))] as Phone
    expect(await asked.say('1')).toContain('Enter your PIN to buy.')
    expect(await asked.say(PIN)).toContain('Thank you!')
    expect([(await ordersOf(user)).length, await balanceOf(shop, user._id)]).toEqual([2, 7900])
    const no = dial(user.phone)
    await saying(no, '2', '0241234567')
    expect(await no.say('2')).toContain('is still on its way.')
    expect(await no.say('0')).toContain('1. Buy for me')
    // Another number, or one that has its bundle, is not asked about.
    await call(shop, 'PUT', `/order/update-status/${(await ordersOf(user))[0]?.id}`, { as: owner, body: { status: 'completed' } })
    await call(shop, 'PUT', `/order/update-status/${(await ordersOf(user))[1]?.id}`, { as: owner, body: { status: 'rejected' } })
    const last = dial(user.phone)
    await saying(last, '2', '0241234567')
    expect(await last.say('2')).toContain('Enter your PIN to buy.')
  })

  test('at the price that was shown: another one is shown first', async () => {
    const user = await buyer()
    const phone = dial(user.phone)
    await saying(phone, '1', '1')
    await shop.database.db.query(`update packages set price_customer_pesewas = 560 where offer = '1GB' and price_customer_pesewas = 550`)
    const asked = await phone.say(PIN)
    expect(asked).toContain('The price has changed.')
    expect(asked).toContain('GHS 5.60')
    expect(await ordersOf(user)).toEqual([])
    expect(await phone.say(PIN)).toContain('Wallet: GHS 14.40')
    await shop.database.db.query(`update packages set price_customer_pesewas = 550 where offer = '1GB' and price_customer_pesewas = 560`)
  })
})

test('the owner’s limits hold for an order and a day, also at the same time, and the switch for everything', async () => {
  await channel({ mostPerOrder: 11, mostPerDay: 11 })
  const user = await buyer({ balance: 100 })
  expect(await saying(dial(user.phone), '1', '3')).toContain('Here you can buy for up to GHS 11.00')
  const phones = [dial(user.phone), dial(user.phone), dial(user.phone)]
  for (const [at, phone] of phones.entries()) {
    await saying(phone)
    if ((await phone.say('2')).startsWith('Dwadi')) await phone.say('2')
    await phone.say(`024123456${at}`)
    await phone.say('1')
  }
  const said = await Promise.all(phones.map((phone) => phone.say(PIN)))
  expect(said.filter((text) => text.startsWith('Thank you!')).length).toBe(2)
  expect(said.find((text) => !text.startsWith('Thank you!'))).toContain('You can still buy for GHS 0.00 here today.')
  expect((await channel({ mostPerDay: 5 })).body.issues?.[0]?.path).toBe('mostPerDay')
  shop.clock.advance(24 * 60 * 60_000)
  owner = await makeUser(shop, { level: 'Admin' })
  const later = dial(user.phone)
  await saying(later, '1', '1')
  await channel({ isOn: false, mostPerOrder: 200, mostPerDay: 500 })
  expect(await later.say(PIN)).toContain('switched off')
  await channel({ isOn: true })
  expect((await ordersOf(user)).length).toBe(2)
})

test('the owner sees when the gateway last called, to the minute; of a long talk only the last twenty requests are remembered', async () => {
  const user = await buyer()
  const seen = async () => (await call<UssdSettings>(shop, 'GET', '/admin/ussd', { as: owner })).body.seenAt
  const phone = dial(user.phone)
  await phone.say('*928#')
  expect(await seen()).toBe(shop.clock.now.toISOString())
  const first = shop.clock.now
  await phone.say('6')
  expect(await seen()).toBe(first.toISOString())
  shop.clock.advance(60_001)
  for (let turn = 0; turn < 26; turn += 1) await phone.say(turn % 2 === 0 ? '0' : '6')
  expect(new Date((await seen()) ?? 0).getTime()).toBeGreaterThan(first.getTime() + 60_000)
  const { rows } = await shop.database.db.query('select cardinality(requests) as kept from conversations where session = $1', [
    phone.session,
  ])
  expect(rows).toEqual([{ kept: 20 }])
})

test('only the gateway is answered: by the secret, from its addresses, in its form', async () => {
  const user = await buyer()
  const body = PROTOCOLS.arkesel.asRequest({ session: 'a', phone: user.phone, text: '*928#', turn: 1, kind: 'first' })
  expect((await call(shop, 'POST', '/ussd/made-up', { body })).status).toBe(404)
  await settings({ addresses: ['203.0.113.0/24'] })
  expect((await call(shop, 'POST', `/ussd/${secret}`, { body })).status).toBe(403)
  expect((await call<UssdSettings>(shop, 'GET', '/admin/ussd', { as: owner })).body.problem?.message).toContain('127.0.0.1')
  await settings({ addresses: ['127.0.0.1'] })
  expect((await call(shop, 'POST', `/ussd/${secret}`, { body })).status).toBe(200)
  for (const [wrong, path] of [
    [{ ...body, sessionID: '' }, 'sessionID'],
    [{ ...body, sessionID: 'x'.repeat(101) }, 'sessionID'],
    [{ ...body, msisdn: '12' }, 'msisdn'],
    [{ ...body, userData: null }, 'userData'],
    [{ ...body, newSession: 'yes' }, 'newSession'],
    [[], ''],
  ] as const) {
    const refused = await call<ErrorBody>(shop, 'POST', `/ussd/${secret}`, { body: wrong })
    expect([refused.status, refused.body.issues?.[0]?.path]).toEqual([400, path])
  }
  expect((await settings({ addresses: ['everywhere'] })).body.issues?.[0]?.path).toBe('addresses.0')
  await settings({ addresses: [] })
  // A session belongs to the phone that began it.
  expect(
    (await call<{ message: string }>(shop, 'POST', `/ussd/${secret}`, { body: { ...body, msisdn: '233207777777', newSession: false } }))
      .body.message,
  ).toContain('start again')
  const tested = await call<{ text: string; characters: number }>(shop, 'GET', '/admin/ussd/test', { as: owner })
  expect([tested.body.text.slice(0, 6), tested.body.characters]).toEqual(['Dwadi\n', tested.body.text.length])
})
