import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSmsGateway } from '../../../../sandbox/phone/sign-message.ts'
import type { ShownFormat, Understood, UnreadMessage } from '../../../../shared/message-format-endpoints.ts'
import { MESSAGE_FORMATS } from '../../../../shared/message-formats.ts'
import { BUILT_IN_SAMPLES } from '../../../../shared/message-samples.ts'
import { fitWords, readWords } from '../../../../shared/message-words.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { balanceOf, call, makeUser } from '../../../../test/builders.ts'
import { checkLedger } from '../../../ledger/check-ledger.ts'
import { creditCertain } from '../../wallet/received-payments/credit-certain.ts'
import { parseAs, readersOf } from './parse-message.ts'

let shop: TestShop
let owner: SignedInUser
beforeAll(async () => {
  shop = await openTestShop()
  owner = await makeUser(shop, { level: 'Admin' })
})
afterAll(async () => {
  expect(await checkLedger(shop.database.db)).toEqual([])
  await shop.close()
})

/** A wording of MTN's that no form of the shop knows. */
const reworded = (amount: string, balance: string, reference: string, id: string) =>
  `You got GHS ${amount} from AMA SAMPLE. Note: ${reference}. Transaction ID: ${id}. You now have GHS ${balance}. Thank you.`
const FORM = {
  network: 'MTN',
  name: 'got',
  kind: 'credit',
  words: 'You got {amount} from {payer}. Note: {reference}. Transaction ID: {id}. You now have {balance}.',
  senders: [] as string[],
  samples: [reworded('5.00', '15.00', 'rent', '51234567890')],
  on: true,
  version: 0,
}

type Refused = { issues: { path: string; message: string }[]; code: string }
const save = (change: object, as = owner) =>
  call<{ format: ShownFormat } & Refused>(shop, 'PUT', '/message-format', { as, body: { ...FORM, ...change } })
const list = async () =>
  (await call<{ formats: ShownFormat[]; unread: UnreadMessage[] }>(shop, 'GET', '/message-format', { as: owner })).body
const nameOf = async (name: string, network = 'MTN') => (await list()).formats.find((one) => one.name === name && one.network === network)
const attempt = async (body: object) =>
  (
    await call<{ reading: Understood | null; samples: Understood[]; problems: Refused['issues'] }>(shop, 'POST', '/message-format/try', {
      as: owner,
      body,
    })
  ).body

test('every form that came with the shop reads its own samples', async () => {
  const formats = readersOf([])
  for (const { network, name } of MESSAGE_FORMATS) {
    for (const text of BUILT_IN_SAMPLES[`${network} ${name}`] ?? []) {
      expect(parseAs({ text, sender: null, at: null }, formats).format).toMatchObject({ network, name })
    }
  }
  const missing = MESSAGE_FORMATS.filter(({ network, name }) => network && !(`${network} ${name}` in BUILT_IN_SAMPLES))
  expect(missing).toEqual([])
})

describe('the words of a form', () => {
  const reads = (words: string, text: string) => {
    const read = readWords(words, { isCredit: true })
    return typeof read === 'string' ? read : fitWords(read, text)
  }
  test.each([
    ['{amount} {id}', 'Begin with words'],
    ['Got {amount} {what} {id}', '{what} is none of'],
    ['Came {amount}. {amount} {id}', '{amount} may stand there once'],
    ['Came {amount}{id}', 'Between two placeholders'],
    ['Came {amount}', 'needs {amount} and {id}'],
    [`Came {amount} {id}${' x {any}'.repeat(12)}`, 'at most 12'],
  ])('%j are refused', (words, why) => {
    expect(reads(words, 'Came in')).toContain(why)
  })

  test('fit whatever the spaces and capitals, and say when a payer could have made them fit in two ways', () => {
    const words = 'Got {amount} from {payer}. Ref: {reference}. ID: {id}. Balance {balance}'
    const text = 'GOT GHS1,005.50  from K.OWUSU ENT . Ref: two\nlines. id: 51234567890. balance: '
    expect(reads(words, `${text.replace('balance: ', 'Balance GH₵2,000')}. Bye`)).toEqual({
      inTwoWays: false,
      groups: { amount: 'GHS1,005.50', payer: 'K.OWUSU ENT', reference: 'two\nlines', id: '51234567890', balance: 'GH₵2,000' },
    })
    const typed = 'Got GHS 5.00 from AMA. Ref: x. ID: 99999999999. Balance 900.00. ID: 51234567890. Balance 10.00'
    expect(reads(words, typed)).toMatchObject({ inTwoWays: true, groups: { id: '51234567890' } })
    // However much the payer types, the last id is the network's.
    for (const many of [100, 160, 199, 200, 201, 1_500]) {
      const long = `Got GHS 5.00 from AMA. Ref: x. ID: 99999999999. Balance 900.00${' y'.repeat(many / 2)}. ID: 51234567890. Balance 10.00`
      expect([many, reads(words, long)]).toMatchObject([many, { inTwoWays: true, groups: { id: '51234567890' } }])
    }
    expect(reads(words, 'Got GHS 5.0000 from AMA. Ref: x. ID: 51234567890. Balance 10.00')).toBeNull()
  })

  test('take no longer for a text that is made to be slow', () => {
    const words = `Begin ${Array(12).fill('{any}').join(' a ')} b`
    const read = readWords(words, { isCredit: false })
    let looks = 0
    const text = new Proxy(Object(`Begin${' a'.repeat(150)}`), {
      get: (target, key) => {
        looks++
        const value = target[key]
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    expect(fitWords(read as Exclude<typeof read, string>, text)).toBeNull()
    expect(looks).toBeLessThan(25 * text.length * 200)
  })
})

describe('the owner', () => {
  test('writes a form down, and the next message that anybody reads is read so; what waited is read again only on their word', async () => {
    const customer = await makeUser(shop)
    const ask = async () =>
      (await call<{ recharge: { rechargeId: string } }>(shop, 'POST', '/recharge', { as: customer, body: { amount: 50 } })).body.recharge
        .rechargeId
    const body = { name: 'Till', app: 'sms-gateway', networks: ['MTN'] }
    const made = await call<{ forwarder: { _id: string }; key: string }>(shop, 'POST', '/forwarder', { as: owner, body })
    const path = `/forwarder/${made.body.forwarder._id}`
    await call(shop, 'PUT', `${path}/balance`, { as: owner, body: { network: 'MTN', balance: 100 } })
    const credit = () =>
      creditCertain({
        ...shop.database,
        realtime: shop.app.realtime,
        now: shop.clock.now,
        actor: null,
        ip: null,
        jobs: undefined as never,
        log: shop.app.log as never,
      })
    const forward = async (text: string, sender = 'MobileMoney') => {
      const { headers, body: payload } = asSmsGateway({ sender, text, at: shop.clock.now }, made.body.key, shop.clock.now)
      const reply = await shop.app.inject({ method: 'POST', url: `/api${path}/message`, headers, payload })
      await credit()
      return reply.json().received
    }
    const [first, second] = [await ask(), await ask()]
    expect(await forward(reworded('50.00', '150.00', first, '91234567801'))).toBe('payment')
    expect(await balanceOf(shop, customer._id)).toBe(0)
    const { unread } = await list()
    expect(unread).toMatchObject([{ network: 'MTN', waiting: true, text: expect.stringContaining(first) }])

    expect((await save({})).status).toBe(200)
    await credit()
    expect(await balanceOf(shop, customer._id)).toBe(0)
    // The network under a new name of its own, which the form names.
    expect(await forward(reworded('50.00', '200.00', second, '91234567802'), 'MTN Pay')).toBe('ignored')
    expect((await save({ version: 1, senders: ['MTN Pay'] })).status).toBe(200)
    expect(await forward(reworded('50.00', '200.00', second, '91234567802'), 'MTN Pay')).toBe('payment')
    expect(await balanceOf(shop, customer._id)).toBe(0)

    const again = await call(shop, 'POST', '/forwarder/read-again', { as: owner })
    expect(again.body).toEqual({ read: 1, understood: 1 })
    await credit()
    expect(await balanceOf(shop, customer._id)).toBe(10_000)
    expect((await call(shop, 'POST', '/forwarder/read-again', { as: owner })).body).toEqual({ read: 0, understood: 0 })
    expect((await list()).unread).toEqual([])

    const { body: versions } = await call<ShownFormat[]>(shop, 'GET', '/message-format/versions', {
      as: owner,
      query: { network: 'MTN', name: 'got' },
    })
    expect(versions).toMatchObject([
      { version: 2, senders: ['MTN Pay'], changedBy: owner.username, origin: 'own' },
      { version: 1, senders: [] },
    ])
    await save({ version: 2, on: false })
    const off = await attempt({ text: reworded('5.00', '15.00', 'rent', '51234567890') })
    expect(off.reading).toMatchObject({ format: null, doubts: [expect.stringContaining('don’t know this kind')] })
  })

  test('has what was filed under another network’s name read again, which nobody can know before its form is written', async () => {
    const id = '91234567811'
    const text = `Good day. GHS 30.00 was paid in. From: AMA SAMPLE. Note: x. Transaction ID: ${id}. You now have GHS 90.00.`
    await call(shop, 'POST', '/received-payment/messages', { as: owner, body: { text } })
    const networkOf = async () =>
      (await shop.database.db.query<{ network: string }>('select network from received_payments where transaction_id = $1', [id])).rows
    expect(await networkOf()).toEqual([{ network: 'MTN' }])
    const words = 'Good day. {amount} was paid in. From: {payer}. Note: {reference}. Transaction ID: {id}. You now have {balance}.'
    expect((await save({ network: 'Telecel', name: 'paid in', words, samples: [text] })).status).toBe(200)
    const again = await call(shop, 'POST', '/forwarder/read-again', { as: owner })
    expect([again.status, again.body]).toEqual([200, { read: 1, understood: 1 }])
    expect(await networkOf()).toEqual([{ network: 'Telecel' }])
  })

  test('tries a message, and a form before it is kept', async () => {
    const sample = BUILT_IN_SAMPLES['MTN payment received']![1]!
    expect((await attempt({ text: sample, sender: 'MobileMoney' })).reading).toMatchObject({
      format: 'payment received',
      kind: 'credit',
      amount: 53,
      balance: 100.03,
      phone: '0500000001',
      doubts: [],
    })
    expect((await attempt({ text: sample, sender: '0241234567' })).reading).toMatchObject({ kind: 'fake' })
    const { version: _, ...draft } = { ...FORM, name: 'tried' }
    const tried = await attempt({ draft: { ...draft, samples: [...FORM.samples, 'Something else, GHS 5'] } })
    expect(tried.samples).toMatchObject([
      { format: 'tried', amount: 5, transactionId: '51234567890', payer: 'AMA SAMPLE' },
      { format: null },
    ])
    expect(tried.problems).toEqual([{ path: 'samples.1', message: expect.stringContaining('don’t fit') }])
    expect(await nameOf('tried')).toBeUndefined()
  })

  test.each([
    ['words that read a message of another form', { name: 'wide', words: 'You got {any} ID: {id}. You now have {amount}' }, 'samples.0'],
    ['a sample that it does not read', { name: 'poor', samples: ['Payment was made, so they say'] }, 'samples.0'],
    ['no sample', { name: 'poor', samples: [] }, 'samples'],
    [
      'a sample with a balance below what came in',
      { name: 'poor', samples: [reworded('50.00', '15.00', 'x', '51234567890')] },
      'samples.0',
    ],
    ['a phone number as the sender', { name: 'poor', senders: ['0241234567'] }, 'senders.0'],
    ['no words for a form that did not come with the shop', { name: 'poor', words: null }, 'words'],
  ])('is told of %s', async (_what, change, path) => {
    await save({ version: (await nameOf('got'))?.version ?? 0, on: true })
    const { status, body } = await save(change)
    expect([status, body.issues[0]?.path]).toEqual([400, path])
    expect(await nameOf(change.name)).toBeUndefined()
  })

  test('cannot let money that went out be read as money that came in', async () => {
    const bill = { name: 'bill', kind: 'other', words: null, samples: [] }
    const wide = {
      name: 'wide',
      words: 'Payment for {amount} to {payer}.{any}Transaction Id: {id}',
      samples: ['Payment for GHS9.00 to YOU. Transaction Id: 85762523499'],
    }
    const first = await save(wide)
    expect([first.status, first.body.issues]).toEqual([400, [{ path: 'samples.0', message: '“bill” reads this message already.' }]])
    const off = await save({ ...bill, on: false })
    expect([off.status, off.body.format.on]).toEqual([200, false])
    expect((await attempt({ text: BUILT_IN_SAMPLES['MTN bill']![0]! })).reading).toMatchObject({
      kind: 'credit',
      doubts: [expect.any(String)],
    })
    const second = await save(wide)
    expect([second.status, second.body.issues[0]?.message]).toEqual([400, expect.stringContaining('would also read a message of “bill”')])
    const restored = await save({ ...bill, on: true, version: 1 })
    expect(restored.body.format).toMatchObject({ origin: 'built-in', on: true, kind: 'money-out', version: 2 })
    expect((await attempt({ text: BUILT_IN_SAMPLES['MTN bill']![0]! })).reading).toMatchObject({ kind: 'money-out', format: 'bill' })
  })

  test('alone changes forms, each version once, and only with a password given lately', async () => {
    const finance = await makeUser(shop, { level: 'Admin', roles: ['finance'] })
    expect((await save({ name: 'mine' }, finance)).status).toBe(403)
    const raced = { name: 'raced', words: 'Raced in: {amount}. ID: {id}', samples: ['Raced in: GHS 5.00. ID: 51234567890. Thank you'] }
    const both = await Promise.all([save(raced), save({ ...raced, words: `${raced.words}. Thank` })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    await shop.database.db.query(`update sessions set password_at = null, created_at = created_at - interval '1 hour' where user_id = $1`, [
      owner._id,
    ])
    expect((await save({ name: 'late' })).body.code).toBe('PASSWORD_NEEDED')
    expect((await call<Refused>(shop, 'POST', '/forwarder/read-again', { as: owner })).body.code).toBe('PASSWORD_NEEDED')
    await expect(shop.database.db.query(`update message_formats set words = 'x'`)).rejects.toThrow()
  })
})
