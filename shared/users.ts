import * as z from 'zod/mini'
import { endpoints, idParam, messageReply } from './endpoint.ts'
import { listQuery } from './lists.ts'
import { normalisePhone, phone, tenDigits } from './phones.ts'

export const USER_LEVELS = ['Customer', 'Agent', 'Admin'] as const
export type UserLevel = (typeof USER_LEVELS)[number]
export const USER_STATUSES = ['Active', 'Banned'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

export const PASSWORD_MIN = 8
const PASSWORD_MAX = 128

/** A user as themself or an admin sees them. */
export const user = z.object({
  _id: z.string(),
  username: z.string(),
  email: z.string(),
  phone: z.string(),
  userLevel: z.enum(USER_LEVELS),
  isAdmin: z.boolean(),
  status: z.enum(USER_STATUSES),
  totalPurchase: z.number(),
  balance: z.number(),
  /** Increases with every change of the balance, so that a late message never overwrites a newer one. */
  balanceVersion: z.number(),
  createdAt: z.string(),
})
export type User = z.output<typeof user>

/** The reply to login and register: the user's fields and the session's token. */
export const signedInUser = z.extend(user, { token: z.string() })
export type SignedInUser = z.output<typeof signedInUser>

/** `in: phone` searches phone numbers only; `mine` returns the caller's own record, also for an admin. */
export const userListQuery = z.extend(listQuery, {
  in: z.optional(z.literal('phone', { error: 'Search in phone numbers, or leave it out.' })),
  mine: z.optional(z.literal('true', { error: 'Send mine=true, or leave it out.' })),
})

const PASSWORD_TOO_SHORT = `The password must be at least ${PASSWORD_MIN} characters long.`

export const password = z
  .string({ error: 'Enter a password.' })
  .check(
    z.minLength(PASSWORD_MIN, { error: PASSWORD_TOO_SHORT }),
    z.maxLength(PASSWORD_MAX, { error: `The password must be at most ${PASSWORD_MAX} characters long.` }),
  )

export const loginRequest = z.object({
  /** Any ten digits: some accounts are older than the check of prefixes. */
  userPhone: z.pipe(z.string({ error: 'Enter your phone number.' }), z.pipe(z.transform(normalisePhone), tenDigits)),
  password: z
    .string({ error: 'Enter your password.' })
    .check(z.minLength(1, { error: 'Enter your password.' }), z.maxLength(PASSWORD_MAX, { error: 'That password is too long.' })),
})
export type LoginRequest = z.input<typeof loginRequest>

/**
 * Letters, digits, and `. _ -` or a space inside. Letters are Latin with any accent and those of Ghana's languages; other
 * alphabets are refused because look-alikes could misdirect a credit.
 */
const LETTER = 'a-z\u00df-\u00f6\u00f8-\u0130\u0132-\u017e\u01cd-\u0217\u1e00-\u1eff\u0254\u025b\u0256\u0192\u0263\u028b'
const USERNAME = new RegExp(`^[${LETTER}0-9](?:[${LETTER}0-9._ -]*[${LETTER}0-9])?$`)

/** True for a name that is all digits, or contains as many in a row as a phone number, ignoring separators. */
function readsAsNumber(name: string): boolean {
  const bare = name.replace(/[._ -]/g, '')
  if (/^\d+$|\d{9}/.test(bare)) return true
  const digits = bare.replace(/o/g, '0').replace(/[il]/g, '1')
  return /\d{9}/.test(digits) && (bare.match(/\d/g) ?? []).length >= 5
}

export const username = z.string({ error: 'Enter a username.' }).check(
  z.normalize('NFC'),
  z.trim(),
  z.toLowerCase(),
  z.minLength(1, { error: 'Enter a username.', abort: true }),
  z.minLength(2, { error: 'The username must be at least 2 characters long.' }),
  z.maxLength(30, { error: 'The username must be at most 30 characters long.' }),
  z.regex(USERNAME, {
    error: 'Use letters, digits, spaces and . _ - for the username. Start and end with a letter or digit.',
    abort: true,
  }),
  z.refine((name) => !readsAsNumber(name), { error: 'A username cannot be a number. Please use a name.' }),
)

const NOT_AN_EMAIL = 'Enter a valid e-mail address, like ama@example.com.'

const email = z
  .string({ error: 'Enter your e-mail address.' })
  .check(
    z.trim(),
    z.toLowerCase(),
    z.minLength(1, { error: 'Enter your e-mail address.', abort: true }),
    z.maxLength(254, { error: NOT_AN_EMAIL }),
    z.regex(/^[a-z0-9._%+-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/, { error: NOT_AN_EMAIL }),
  )

export const registerRequest = z.object({ username, email, phone, password })
export type RegisterRequest = z.input<typeof registerRequest>

/** The registration form: the request plus the repeated password. */
export const registerForm = z
  .extend(registerRequest, { confirmPassword: password })
  .check(z.refine((form) => form.password === form.confirmPassword, { error: 'Passwords do not match', path: ['confirmPassword'] }))

export const forgetPasswordRequest = z.object({ email })
const resetPasswordRequest = z.object({ password })
const resetPasswordParams = z.object({
  token: z.string().check(z.maxLength(200, { error: 'This link has been used or is too old. Please ask for a new one.' })),
})

export const changeLevelRequest = z.object({
  userLevel: z.enum(USER_LEVELS, { error: `The level is one of ${USER_LEVELS.join(', ')}.` }),
})
export const changeStatusRequest = z.object({
  status: z.enum(USER_STATUSES, { error: `The status is one of ${USER_STATUSES.join(', ')}.` }),
})

const userReply = z.object({ user })

export const userEndpoints = endpoints({
  'GET /user': {
    id: 'listUsers',
    tag: 'users',
    summary: 'Oneself; an admin sees all users',
    access: 'signed-in',
    query: userListQuery,
    reply: z.array(user),
    list: true,
  },
  'GET /user/me': {
    id: 'readSelf',
    tag: 'users',
    summary: 'Who is signed in, and their balance',
    access: 'signed-in',
    reply: user,
  },
  // Clients of the public API read the same records from two addresses.
  'GET /user/account-balances': {
    id: 'listAccountBalances',
    tag: 'users',
    summary: 'The same as GET /user',
    access: 'signed-in',
    query: userListQuery,
    reply: z.array(user),
    list: true,
  },
  'PUT /user/:id/level': {
    id: 'changeUserLevel',
    tag: 'users',
    summary: "Set a user's level; oneself to Agent once the fee is paid",
    access: 'signed-in',
    params: idParam('user'),
    body: changeLevelRequest,
    reply: userReply,
    errors: ['UNPAID', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  'PUT /user/:id/status': {
    id: 'changeUserStatus',
    tag: 'users',
    summary: 'Ban a user, or let them in again',
    access: 'admin',
    params: idParam('user'),
    body: changeStatusRequest,
    reply: userReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
})

export const sessionEndpoints = endpoints({
  'POST /user/register': {
    id: 'register',
    tag: 'users',
    summary: 'Open an account and sign in',
    access: 'anyone',
    body: registerRequest,
    reply: signedInUser,
    errors: ['TAKEN'],
  },
  'POST /user/login': {
    id: 'login',
    tag: 'sessions',
    summary: 'Sign in',
    access: 'anyone',
    body: loginRequest,
    reply: signedInUser,
    errors: ['UNAUTHENTICATED', 'BANNED'],
  },
  'POST /user/logout': {
    id: 'logout',
    tag: 'sessions',
    summary: 'End this session',
    access: 'signed-in',
    reply: messageReply,
  },
  'POST /user/forget-password': {
    id: 'requestPasswordReset',
    tag: 'sessions',
    summary: 'Ask for a mail to choose a new password',
    access: 'anyone',
    body: forgetPasswordRequest,
    reply: messageReply,
  },
  'POST /user/reset-password/:token': {
    id: 'resetPassword',
    tag: 'sessions',
    summary: 'Choose a new password by the link in the mail',
    access: 'anyone',
    params: resetPasswordParams,
    body: resetPasswordRequest,
    reply: messageReply,
  },
})
