import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AnsweringServer, openAnsweringServer, type Said } from '../../../test/answering-server.ts'
import { allow } from '../../../test/slowness.ts'
import { createArkesel } from './arkesel.ts'
import { createMnotify } from './mnotify.ts'

let far: AnsweringServer
const sms = { to: '0241234567', text: 'Hello' }
const settings = () => ({ baseUrl: far.url, apiKey: 'secret-key', sender: 'Dwadi', timeoutMs: allow(300) })

beforeAll(async () => {
  far = await openAnsweringServer()
})
beforeEach(() => {
  far.heard.length = 0
})
afterAll(() => far.close())

const BOTH: [string, Said, string][] = [
  ['a bad key', { status: 401, body: { error: 'Invalid key' } }, 'not-taken'],
  ['no money', { status: 402, body: { status: 'error', message: 'Low balance' } }, 'not-taken'],
  ['too often', { status: 429, body: { status: 'error', message: 'Slow' } }, 'not-taken'],
  ['500', { status: 500, body: { message: 'Oops' } }, 'not-taken'],
  ['an error with 200', { body: { status: 'error', message: 'No' } }, 'not-taken'],
  ['a bad message', { status: 422, body: { status: 'error', errors: { message: ['too long'] } } }, 'rejected'],
  ['HTML', { status: 502, body: '<html></html>' }, 'unknown'],
  ['an answer that says nothing', { body: {} }, 'unknown'],
  ['no answer in time', { hang: true }, 'unknown'],
  ['a cut connection', { cut: true }, 'unknown'],
]

describe('Arkesel', () => {
  test('gets the number in international form, and the key in its own header', async () => {
    far.answer({ body: { status: 'success', data: [{ recipient: '233241234567', id: 'M1' }] } })
    expect(await createArkesel(settings()).send(sms)).toEqual({ outcome: 'accepted', providerId: 'M1' })
    expect(far.heard[0]).toMatchObject({
      method: 'POST',
      url: '/api/v2/sms/send',
      headers: { 'api-key': 'secret-key' },
      body: { sender: 'Dwadi', message: 'Hello', recipients: ['233241234567'] },
    })
  })

  test.each<[string, Said, string]>([
    ...BOTH,
    ['a success of invalid numbers alone', { body: { status: 'success', data: [{ 'invalid numbers': ['233241234567'] }] } }, 'rejected'],
    ['a success without data', { body: { status: 'success', message: 'Scheduled' } }, 'unknown'],
    ['an inactive gateway', { status: 403, body: { status: 'error', message: 'Inactive' } }, 'not-taken'],
  ])('%s', async (_name, said, outcome) => {
    far.answer(said)
    expect(await createArkesel(settings()).send(sms)).toMatchObject({ outcome })
  })

  test('reports nothing sent when unreachable', async () => {
    const closed = await openAnsweringServer()
    await closed.close()
    expect(await createArkesel({ ...settings(), baseUrl: closed.url }).send(sms)).toMatchObject({ outcome: 'not-taken' })
  })
})

describe('mNotify', () => {
  const summary = { _id: 'C1', total_sent: 1, contacts: 1, total_rejected: 0, numbers_sent: ['233241234567'], credit_used: 0 }

  test('gets the key in the URL, and is asked to send at once', async () => {
    far.answer({ body: { status: 'success', code: '2000', summary } })
    expect(await createMnotify(settings()).send(sms)).toEqual({ outcome: 'accepted', providerId: 'C1' })
    expect(far.heard[0]).toMatchObject({
      url: '/api/sms/quick?key=secret-key',
      body: { recipient: ['233241234567'], sender: 'Dwadi', message: 'Hello', is_schedule: false, schedule_date: '' },
    })
  })

  test.each<[string, Said, string]>([
    ...BOTH,
    [
      'a success that rejected the number',
      { body: { status: 'success', code: '2000', summary: { ...summary, total_sent: 0, total_rejected: 1 } } },
      'rejected',
    ],
    ['a sender that is not approved yet', { status: 422, body: { status: 'error', errors: { sender: ['not approved'] } } }, 'not-taken'],
    ['a success of another code', { body: { status: 'success', code: '1000' } }, 'unknown'],
  ])('%s', async (_name, said, outcome) => {
    far.answer(said)
    expect(await createMnotify(settings()).send(sms)).toMatchObject({ outcome })
  })

  test('leaves the key in the URL out of every reason', async () => {
    for (const said of [{ hang: true }, { cut: true }, { body: '<html>' }, { status: 401, body: {} }]) {
      far.answer(said)
      expect(JSON.stringify(await createMnotify(settings()).send(sms))).not.toContain('secret-key')
    }
  })
})
