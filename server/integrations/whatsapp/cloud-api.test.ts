import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startWhatsappService, type WhatsappService } from '../../../sandbox/whatsapp-service.ts'
import { type AnsweringServer, openAnsweringServer, type Said } from '../../../test/answering-server.ts'
import { allow } from '../../../test/slowness.ts'
import { createCloudApi } from './cloud-api.ts'

let far: AnsweringServer
const keys = { token: 'a token of the Cloud API', appSecret: 'the secret of an app', verifyToken: 'a word that we made up' }
const api = (baseUrl = far.url) => createCloudApi({ baseUrl, version: 'v23.0', phoneId: '10654', ...keys, timeoutMs: allow(300) })
const error = (status: number, code: number): Said => ({ status, body: { error: { code, message: 'Why' } } })

beforeAll(async () => {
  far = await openAnsweringServer()
})
beforeEach(() => {
  far.heard.length = 0
})
afterAll(() => far.close())

test('a text and a list go to the number’s own address, with the token in a header and within the lengths that are taken', async () => {
  far.answer({ body: { messaging_product: 'whatsapp', messages: [{ id: 'wamid.1' }] } })
  expect(await api().send('0241234567', { text: 'Hello' })).toEqual({ outcome: 'accepted', providerId: 'wamid.1' })
  const to = { messaging_product: 'whatsapp', recipient_type: 'individual', to: '233241234567' }
  expect(far.heard[0]).toMatchObject({
    method: 'POST',
    url: '/v23.0/10654/messages',
    headers: { authorization: `Bearer ${keys.token}` },
    body: { ...to, type: 'text', text: { body: 'Hello' } },
  })
  const options = Array.from({ length: 12 }, (_, n) => ({
    id: String(n),
    title: 'A title of thirty letters or so',
    description: 'x'.repeat(90),
  }))
  await api().send('0241234567', { text: 'y'.repeat(2_000), options })
  const { interactive } = (far.heard[1] as (typeof far.heard)[number]).body as {
    interactive: { body: { text: string }; action: { sections: [{ rows: typeof options }] } }
  }
  const { rows } = interactive.action.sections[0]
  expect([interactive.body.text.length, rows.length, rows[0]?.title.length, rows[0]?.description.length]).toEqual([1024, 10, 24, 72])
})

test('a template fills its gaps, without line breaks, which Meta refuses', async () => {
  far.answer({ body: { messages: [{ id: 'wamid.1' }] } })
  await api().sendTemplate('0241234567', { name: 'order_news', language: 'en_GB', values: ['17', 'two\nlines'] })
  const parameters = [
    { type: 'text', text: '17' },
    { type: 'text', text: 'two lines' },
  ]
  expect(far.heard[0]?.body).toMatchObject({
    type: 'template',
    template: { name: 'order_news', language: { code: 'en_GB' }, components: [{ type: 'body', parameters }] },
  })
})

test.each<[string, Said, string]>([
  ['24 hours are over', error(400, 131047), 'outside-window'],
  ['cannot be delivered', error(400, 131026), 'rejected'],
  ['a bad parameter', error(400, 131009), 'rejected'],
  ['no such template', error(404, 132001), 'rejected'],
  ['too often', error(429, 130429), 'not-taken'],
  ['too often, with 400', error(400, 130429), 'not-taken'],
  ['too often for this pair', error(400, 131056), 'not-taken'],
  ['an expired token', error(401, 190), 'not-taken'],
  ['unpaid bills', error(400, 131042), 'not-taken'],
  ['Meta does not know', error(500, 131000), 'unknown'],
  ['HTML', { status: 502, body: '<html></html>' }, 'unknown'],
  ['a success that names no message', { body: {} }, 'unknown'],
  ['no answer in time', { hang: true }, 'unknown'],
  ['a cut connection', { cut: true }, 'unknown'],
])('%s', async (_name, said, outcome) => {
  far.answer(said)
  expect(await api().send('0241234567', { text: 'Hello' })).toMatchObject({ outcome })
})

test('nothing is sent when Meta cannot be reached', async () => {
  const closed = await openAnsweringServer()
  await closed.close()
  expect(await api(closed.url).send('0241234567', { text: 'Hello' })).toMatchObject({ outcome: 'not-taken' })
})

describe('a webhook', () => {
  const sign = (body: string) => `sha256=${createHmac('sha256', keys.appSecret).update(body).digest('hex')}`
  const read = (value: object) => {
    const body = JSON.stringify({
      entry: [{ changes: [{ field: 'messages', value: { metadata: { phone_number_id: '10654' }, ...value } }] }],
    })
    return api().readWebhook(Buffer.from(body), sign(body))
  }
  const from = { from: '233241234567', timestamp: '1750857384' }
  const at = new Date(1_750_857_384_000)

  test('brings texts, choices, buttons and what is none of these, but nothing of a reaction; and what became of messages', () => {
    const messages = [
      { ...from, id: 'wamid.1', type: 'text', text: { body: ' hi ' } },
      { ...from, id: 'wamid.2', type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: '7', title: 'x' } } },
      { ...from, id: 'wamid.3', type: 'audio', audio: { id: '1' } },
      { ...from, id: 'wamid.5', type: 'button', button: { text: 'STOP', payload: 'x' } },
      { ...from, id: 'wamid.6', type: 'location', location: { latitude: 5.6, longitude: -0.2 } },
      { ...from, id: 'wamid.7', type: 'unsupported', errors: [{ code: 131051, title: 'Message type unknown' }] },
      { ...from, id: 'wamid.8', type: 'reaction', reaction: { message_id: 'wamid.1', emoji: '👍' } },
      { ...from, id: 'wamid.9', type: 'system', system: { body: 'changed', type: 'user_changed_number', wa_id: '233241234568' } },
    ]
    expect(read({ messages })?.messages).toEqual([
      { id: 'wamid.1', phone: '0241234567', at, text: ' hi ' },
      { id: 'wamid.2', phone: '0241234567', at, text: '7' },
      { id: 'wamid.3', phone: '0241234567', at, text: null },
      { id: 'wamid.5', phone: '0241234567', at, text: 'STOP' },
      { id: 'wamid.6', phone: '0241234567', at, text: null },
      { id: 'wamid.7', phone: '0241234567', at, text: null },
    ])
    const failed = {
      id: 'wamid.4',
      status: 'failed',
      timestamp: '1750857384',
      recipient_id: '233241234567',
      errors: [{ code: 131026, title: 'No' }],
    }
    expect(read({ statuses: [failed] })?.statuses).toEqual([{ providerId: 'wamid.4', status: 'failed', at, reason: '131026: No' }])
  })

  test('is null with a wrong signature, and knows its verify token', () => {
    for (const signature of [undefined, '', 'sha256=', `sha256=${'0'.repeat(64)}`, sign('{} ')]) {
      expect(api().readWebhook(Buffer.from('{}'), signature)).toBeNull()
    }
    expect([api().isVerifyToken(keys.verifyToken), api().isVerifyToken(''), api().isVerifyToken(`${keys.verifyToken} `)]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('the simulator', () => {
  let service: WhatsappService
  beforeAll(async () => {
    service = await startWhatsappService({ keys, webhookUrl: () => far.url })
  })
  afterAll(() => service.close())

  test('takes what the adapter sends, as Meta does: free text only within 24 hours, templates always', async () => {
    const adapter = createCloudApi({ ...service, version: 'v23.0', timeoutMs: allow(2_000) })
    far.answer({ body: {} })
    expect(await adapter.send('0241234567', { text: 'Hello' })).toMatchObject({ outcome: 'outside-window' })
    await service.chats.say('0241234567', { text: 'hi' })
    const options = [{ id: '1', title: 'One', description: 'First' }]
    expect(await adapter.send('0241234567', { text: 'Hello', options })).toMatchObject({ outcome: 'accepted' })
    expect(await adapter.sendTemplate('0209876543', { name: 'order_news', language: 'en', values: ['1'] })).toMatchObject({
      outcome: 'accepted',
    })
    expect(service.chats.list().map(({ body }) => body)).toEqual(['1', 'Hello', 'hi'])
    const stranger = createCloudApi({ ...service, token: 'another token altogether', version: 'v23.0', timeoutMs: allow(2_000) })
    expect(await stranger.send('0241234567', { text: 'Hello' })).toMatchObject({ outcome: 'not-taken' })
  })
})
