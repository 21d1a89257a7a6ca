import { describe, expect, test } from 'vitest'
import { refuseCommonPassword, refuseOwnDetails } from './refuse-common-password.ts'

const RULES = { shopName: 'Kofi’s Data Shop', allowGuessable: false }
const owner = { username: 'esi boateng', email: 'esi.b@example.com', phone: '0551112223' }

async function problemOf(password: string, rules = RULES): Promise<string | null> {
  try {
    await refuseCommonPassword(password, rules)
    refuseOwnDetails(password, owner, rules)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

describe('a password that others would guess is refused', () => {
  test.each([
    // What many people have.
    ...['password', 'Password1', 'password123', 'PASSW0RD', 'iloveyou', 'sunshine', 'football1', 'trustno1', ' computer '],
    // The keyboard and the alphabet.
    ...['12345678', '0987654321', '1234567890', 'qwertyuiop', 'QWERTY123456', 'asdf1234', '1qaz2wsx', 'abcdefgh', 'zxcvbnm123'],
    // Again and again.
    ...['11111111', 'aaaaaaaaaaaa', 'abcabcabc', '12121212', '20262026'],
    // The calendar.
    ...['06031957', '6/3/1957', '1957-03-06', '31.12.1999'],
    // What stands on the sign, and what everybody adds.
    ...['dwadi2026', 'Ghana123!', 'gh@na2026', 'Accra#2026', 'Password2026!', 'mtn-ghana-1', 'kofisdatashop', 'Kofi’s Data Shop 1'],
  ])('%s', async (password) => {
    expect(await problemOf(password)).toMatch(/^That password is too common/)
  })
})

test.each(['esi boateng', 'EsiBoateng1', 'Esi_Boateng_99', '0551112223', '233551112223', 'esi.b@example.com', 'esib2026'])(
  'a password that is the owner’s name, number or address is refused: %s',
  async (password) => {
    expect(await problemOf(password)).toMatch(/too easy to guess as a password/)
  },
)

test.each([
  ...['a good password', 'another good password', 'the owner is back', 'bench password', 'Kumasi-1995-secret', '  spaces count  '],
  ...['kenkey and shito on friday', 'tr0tro-station-9', 'xK3!vv9q', 'boatengs like waakye', '8f3k2026', '551112kwame!', '48203957'],
  ...['ɛyɛ paa no', 'пароль из слов', '🐘🦁🐍🐢🦜🐊🐝🐟'],
])('an uncommon password is accepted: %s', async (password) => {
  expect(await problemOf(password)).toBeNull()
})

test.each(['password123', '12345678', owner.phone])('with common passwords allowed, any is accepted: %s', async (password) => {
  expect(await problemOf(password, { ...RULES, allowGuessable: true })).toBeNull()
})
