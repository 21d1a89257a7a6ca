import { afterEach, expect, test, vi } from 'vitest'
import { canPickFromPhone, pickFromPhone } from './pick-from-phone.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['+233 24 123 4567', '0241234567'],
  ['00233241234567', '0241234567'],
  ['024-123-4567', '0241234567'],
])('a contact stored as %s is picked as %s', async (stored, phoneNumber) => {
  givePhone(async () => [{ name: ['Mum'], tel: [stored] }])
  expect(canPickFromPhone()).toBe(true)
  expect(await pickFromPhone()).toEqual({ phoneNumber, name: 'Mum' })
})

test('of several numbers the first Ghanaian mobile number is picked, and a long name is cut to what a contact may have', async () => {
  givePhone(async () => [{ name: ['x'.repeat(60)], tel: ['+44 20 7946 0000', '0302123456', '0551234567'] }])
  expect(await pickFromPhone()).toEqual({ phoneNumber: '0551234567', name: 'x'.repeat(40) })
})

test('a contact without a mobile number or a name is told apart from none at all', async () => {
  givePhone(async () => [{ tel: ['0302123456'] }])
  expect(await pickFromPhone()).toEqual({ phoneNumber: '', name: '' })
  givePhone(async () => [])
  expect(await pickFromPhone()).toBeNull()
  givePhone(() => Promise.reject(new DOMException('closed', 'AbortError')))
  expect(await pickFromPhone()).toBeNull()
})

test('a browser without a picker offers none', () => {
  expect(canPickFromPhone()).toBe(false)
})

/** A browser whose phone answers with these contacts; none of the browsers that run the tests has a picker. */
function givePhone(select: () => Promise<{ name?: string[]; tel?: string[] }[]>) {
  vi.stubGlobal('navigator', { contacts: { select } })
  vi.stubGlobal('window', { ContactsManager: class {} })
}
