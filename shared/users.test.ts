import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changeLevelRequest, changeStatusRequest, loginRequest, registerRequest } from './users.ts'
import { changeBalanceRequest } from './wallet.ts'

const fine = { username: 'ama', email: 'ama@example.com', phone: '0241234567', password: 'long enough' }

/** What is wrong, as [field, sentence]; nothing when all is well. */
function issuesOf(parsed: { error?: { issues: { path: PropertyKey[]; message: string }[] } }): [string, string][] {
  return parsed.error?.issues.map((issue) => [issue.path.join('.'), issue.message]) ?? []
}

describe('registering', () => {
  test.each([
    ['username', undefined, 'Enter a username.'],
    ['username', '', 'Enter a username.'],
    ['username', '   ', 'Enter a username.'],
    ['username', 'a', 'The username must be at least 2 characters long.'],
    ['username', 'a'.repeat(31), 'The username must be at most 30 characters long.'],
    ['email', undefined, 'Enter your e-mail address.'],
    ['email', ' ', 'Enter your e-mail address.'],
    ['email', 'ama', 'Enter a valid e-mail address, like ama@example.com.'],
    ['email', 'ama@example', 'Enter a valid e-mail address, like ama@example.com.'],
    ['email', 'ama@@example.com', 'Enter a valid e-mail address, like ama@example.com.'],
    ['email', 'ama@-example.com', 'Enter a valid e-mail address, like ama@example.com.'],
    ['email', 'ama@example.com\nbcc: all@example.com', 'Enter a valid e-mail address, like ama@example.com.'],
    ['email', `${'a'.repeat(250)}@example.com`, 'Enter a valid e-mail address, like ama@example.com.'],
    ['phone', undefined, 'Enter a phone number of exactly 10 digits, like 0241234567.'],
    ['phone', '024123456', 'Enter a phone number of exactly 10 digits, like 0241234567.'],
    ['phone', '024 123 4567', 'Enter a phone number of exactly 10 digits, like 0241234567.'],
    ['password', undefined, 'Enter a password.'],
    ['password', 12345678, 'Enter a password.'],
    ['password', '1234567', 'The password must be at least 8 characters long.'],
    ['password', 'x'.repeat(129), 'The password must be at most 128 characters long.'],
  ])('with %s %j says: %s', (field, value, message) => {
    expect(issuesOf(registerRequest.safeParse({ ...fine, [field]: value }))).toEqual([[field, message]])
  })

  test.each(["o'brien@example.com", "n'dri.k+shop@example.com", ' ama@example.com\u200b '])('takes the e-mail address %s', (email) => {
    expect(issuesOf(registerRequest.safeParse({ ...fine, email }))).toEqual([])
  })

  test.each(['аma', 'ama😀', 'ama\u202Eadmin', 'a\u200Bma', 'ama/../x', '<b>ama</b>', '-ama', 'ama.', "n'kofi", 'ａma', 'ɑma', 'ſam'])(
    'with the username %j is refused, since look-alikes choose who gets credited',
    (username) => {
      expect(issuesOf(registerRequest.safeParse({ ...fine, username }))[0]?.[1]).toMatch(/^Use letters, digits, spaces and/)
    },
  )

  test.each(['00', '0241234567', '024 123 4567', '024-123.4567', '233241234567', 'ama 0241234567', 'o24l234567'])(
    'with the username %j is refused, since it reads as a number',
    (username) => {
      const message = 'A username cannot be a number. Please use a name.'
      expect(issuesOf(registerRequest.safeParse({ ...fine, username }))).toEqual([['username', message]])
    },
  )

  test.each(['kofi mensah', 'a.b_c-d 1', 'ama2024', 'lolo', '4u', 'zoë', 'adwoa ɔsɛe', 'nguyễn', 'e\u0301lodie', 'ola oluwatobiloba'])(
    'with the username %j is fine',
    (username) => {
      expect(issuesOf(registerRequest.safeParse({ ...fine, username }))).toEqual([])
    },
  )

  test('trims and lowers the username and the address, and keeps the password as it is', () => {
    const typed = { ...fine, username: '  Ama ', email: ' AMA@Example.COM ', password: '  Spaces Count  ' }
    expect(registerRequest.parse(typed)).toEqual({ ...fine, password: '  Spaces Count  ' })
  })

  test('keeps nothing but its four fields', () => {
    const forged = { ...fine, isAdmin: true, balance: 1000, userLevel: 'Admin', status: 'Active', _id: 'x', constructor: 'y' }
    expect(registerRequest.parse(forged)).toEqual(fine)
  })

  test('never throws, whatever is sent', () => {
    fc.assert(fc.property(fc.anything(), (value) => typeof registerRequest.safeParse(value).success === 'boolean'))
  })
})

describe('signing in', () => {
  test.each(['0241234567', '024 123 4567', '+233 24 123 4567'])('takes the phone as %j', (userPhone) => {
    expect(loginRequest.parse({ userPhone, password: 'x' })).toEqual({ userPhone: '0241234567', password: 'x' })
  })

  test.each([
    [{ password: 'x' }, 'userPhone', 'Enter your phone number.'],
    [{ userPhone: '024', password: 'x' }, 'userPhone', 'Enter a phone number of exactly 10 digits, like 0241234567.'],
    [{ userPhone: '0241234567' }, 'password', 'Enter your password.'],
    [{ userPhone: '0241234567', password: '' }, 'password', 'Enter your password.'],
    [{ userPhone: '0241234567', password: 'x'.repeat(129) }, 'password', 'That password is too long.'],
  ])('with %j names %s: %s', (body, field, message) => {
    expect(issuesOf(loginRequest.safeParse(body))).toEqual([[field, message]])
  })
})

describe("an admin's requests", () => {
  test.each(['customer', 'SuperAdmin', '', null, ['Admin']])('no level is %j', (userLevel) => {
    expect(issuesOf(changeLevelRequest.safeParse({ userLevel }))).toEqual([['userLevel', 'The level is one of Customer, Agent, Admin.']])
  })

  test.each(['active', 'Deleted', '', 1])('no status is %j', (status) => {
    expect(issuesOf(changeStatusRequest.safeParse({ status }))).toEqual([['status', 'The status is one of Active, Banned.']])
  })

  const chosenId = '5f0c7a52-6f52-4e0e-9d3f-3c4e5a6b7c8d'
  test.each([
    [{ chosenId, amount: 0 }, 'amount', 'The amount cannot be zero.'],
    [{ chosenId, amount: -0 }, 'amount', 'The amount cannot be zero.'],
    [{ chosenId, amount: '20 cediz' }, 'amount', '“cediz” is not part of an amount.'],
    [{ chosenId, amount: 0.001 }, 'amount', 'Enter an amount in cedis with at most two decimals.'],
    [{ chosenId: 'ama', amount: 5 }, 'chosenId', 'Choose a user from the list.'],
    [{ amount: 5 }, 'chosenId', 'Choose a user from the list.'],
    [{ chosenId, amount: 5, note: 'x'.repeat(201) }, 'note', 'The note must be at most 200 characters long.'],
  ])('a change of balance %j names %s: %s', (body, field, message) => {
    expect(issuesOf(changeBalanceRequest.safeParse(body))).toEqual([[field, message]])
  })

  test('a debit is a negative amount', () => {
    expect(changeBalanceRequest.parse({ chosenId, amount: -20.5 })).toEqual({ chosenId, amount: -20.5 })
  })
})
