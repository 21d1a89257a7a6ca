import { PASSWORD_MIN } from '../../../../shared/user-rules.ts'
import { ConfigError } from '../../../platform/config.ts'
import { Invalid } from '../../../platform/errors.ts'

const TOO_COMMON = 'That password is too common: others would guess it. Choose another, such as three or four words of your own.'
const TOO_CLOSE = 'Your name, phone number or e-mail address is too easy to guess as a password. Choose another.'

/** `allowGuessable` is for sandboxes, which hold nothing worth protecting. */
export type PasswordRules = { shopName: string; allowGuessable: boolean }

/**
 * Refuses common passwords and those easily derived from the keyboard, the calendar or the shop's name.
 * @throws Invalid
 */
export async function refuseCommonPassword(password: string, { shopName, allowGuessable }: PasswordRules): Promise<void> {
  if (allowGuessable) return
  if (isPattern(password, shopName) || (await isListed(password))) throw new Invalid([{ path: 'password', message: TOO_COMMON }])
}

type Details = { username: string; email: string; phone: string }

/** @throws Invalid when the password is little more than the owner's name, phone number or e-mail address. */
export function refuseOwnDetails(password: string, { username, email, phone }: Details, { allowGuessable }: PasswordRules): void {
  if (allowGuessable) return
  const own = [username, email, email.slice(0, email.indexOf('@')), phone.slice(1)].map(lettersAndDigits)
  const bare = lettersAndDigits(password)
  if (own.some((detail) => detail.length >= SHORTEST_DETAIL && bare.includes(detail) && bare.length - detail.length < ENOUGH_BESIDES)) {
    throw new Invalid([{ path: 'password', message: TOO_CLOSE }])
  }
}

/**
 * For an admin configured in the settings.
 * @throws ConfigError
 */
export async function refuseGuessableAdmin(admin: Details & { password?: string | undefined }, rules: PasswordRules): Promise<void> {
  if (admin.password === undefined) return
  try {
    await refuseCommonPassword(admin.password, rules)
    refuseOwnDetails(admin.password, admin, rules)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw new ConfigError(['ADMIN_PASSWORD: is too easy to guess. Choose another, or leave it out: one is made up.'])
  }
}

const SHORTEST_DETAIL = 4
/** This many other letters or digits make a password hard enough to guess. */
const ENOUGH_BESIDES = 5

/** Words missing from international lists: those of this shop and of Ghana. */
const WORDS =
  'dwadi ghana ghanaian accra kumasi takoradi tamale akwaaba medaase nyame onyame jesus blackstars hearts kotoko mtn mtnghana ' +
  'telecel vodafone airteltigo bundle databundle momo password passwd admin administrator agent customer welcome letmein login qwerty iloveyou'
const STANDS_FOR: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' }
/** Keyboard rows, the alphabet, and zigzags down the keys. */
const ROWS = ['12345678901234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'abcdefghijklmnopqrstuvwxyz', '1qaz2wsx3edc4rfv5tgb6yhn7ujm']

let list: Promise<string> | undefined

/** 18,000 passwords, read at first use: about 4 MB of memory and under a millisecond per lookup. */
async function isListed(password: string): Promise<boolean> {
  list ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const long = dictionary['passwords-common'].filter(({ length }) => length >= PASSWORD_MIN)
    return `\n${long.join('\n')}\n`
  })
  return (await list).includes(`\n${password.toLowerCase().trim()}\n`)
}

function isPattern(password: string, shopName: string): boolean {
  const typed = password.toLowerCase().replaceAll(/\s/g, '')
  return isRepeated(typed) || isAlongRows(typed) || isDate(typed) || isWordWithMore(typed, lettersAndDigits(shopName))
}

/** Up to four characters repeated: 11111111, abcabcabc, 19901990. */
function isRepeated(typed: string): boolean {
  return [1, 2, 3, 4].some((size) => [...typed].every((sign, index) => sign === typed[index % size]))
}

/** One or two runs along the keyboard or the alphabet, in either direction: 87654321, asdf1234. */
function isAlongRows(typed: string): boolean {
  const isPiece = (text: string) => ROWS.some((row) => row.includes(text) || row.includes([...text].toReversed().join('')))
  return [...typed].some((_, cut) => isPiece(typed.slice(0, cut)) && isPiece(typed.slice(cut)))
}

/** A date from 1900 on: 06031957, 6/3/1957, 1957-03-06. */
function isDate(typed: string): boolean {
  return /^(\d{1,2}[./-]?\d{1,2}[./-]?(19|20)\d\d|(19|20)\d\d[./-]?\d{1,2}[./-]?\d{1,2})$/.test(typed)
}

/** A common word with common additions: Password2026!, gh@na123, Accra@1. */
function isWordWithMore(typed: string, shopName: string): boolean {
  const known = new Set([...WORDS.split(' '), shopName])
  const word = /[a-z](?:.*[a-z])?/s.exec(typed)?.[0] ?? ''
  const spelled = [word, typed].map((text) => lettersAndDigits(text.replaceAll(/./g, (sign) => STANDS_FOR[sign] ?? sign)))
  return spelled.some((text) => text.length > 0 && known.has(text))
}

function lettersAndDigits(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
