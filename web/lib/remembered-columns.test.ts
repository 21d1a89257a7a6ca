import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { remember, rememberedAnswer, rememberedColumns } from './remembered-columns.ts'
import { session } from './session.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  vi.stubGlobal('window', new EventTarget())
  session.reread()
})
afterEach(() => vi.unstubAllGlobals())

const signIn = (name: string) => {
  const user = { _id: `id-${name}`, username: name, token: name, email: '', phone: '', userLevel: 'Admin', balance: 0 }
  localStorage.setItem('userInfo', JSON.stringify(user))
  session.reread()
  expect(session.get()?.username).toBe(name)
}

test('columns are remembered for files with the same headings, of one kind, for one person', () => {
  signIn('ama')
  remember('checkers', 'voucher|password', { serial: 0, pin: 1 })
  expect(rememberedColumns('checkers', 'voucher|password')).toEqual({ serial: 0, pin: 1 })
  expect(rememberedColumns('checkers', 'password|voucher')).toBeUndefined()
  expect(rememberedColumns('list', 'voucher|password')).toBeUndefined()
  signIn('esi')
  expect(rememberedColumns('checkers', 'voucher|password')).toBeUndefined()
})

test('the last choice counts, and files without headings are asked about each time', () => {
  signIn('ama')
  remember('list', 'no|gb', { number: 0 })
  remember('list', 'no|gb', { number: 1 })
  expect(rememberedColumns('list', 'no|gb')).toEqual({ number: 1 })
  remember('list', '', { number: 0 })
  expect(rememberedColumns('list', '')).toBeUndefined()
})

test('after a hundred forms the oldest is forgotten', () => {
  signIn('ama')
  for (let form = 0; form <= 100; form++) remember('list', `heading ${form}`, { number: form })
  expect([rememberedColumns('list', 'heading 0'), rememberedColumns('list', 'heading 1')]).toEqual([undefined, { number: 1 }])
})

test('an answer about a column holds for the same words in the same form', () => {
  remember('list', 'no|gb|status', null, { 'column:status:cancelled': 'leave' })
  remember('list', 'no|gb|status', null, { 'status:banked': 'done' })
  remember('list', 'no|gb|status', null, { [`column:status:${'x'.repeat(200)}`]: 'take' })
  const remembered = (question: string) => rememberedAnswer('list', 'no|gb|status', question)
  expect(remembered('column:status:cancelled')).toBe('leave')
  expect(remembered('column:status:cancelled|pending')).toBeUndefined()
  expect(rememberedAnswer('list', 'no|gb|state', 'column:status:cancelled')).toBeUndefined()
  expect([remembered('status:banked'), remembered(`column:status:${'x'.repeat(200)}`)]).toEqual([undefined, undefined])
})
