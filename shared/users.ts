import * as z from 'zod/mini'
import { endpoints, idParam, messageReply } from './endpoint.ts'
import { accepts, phone, tenDigits, tidy } from './fields.ts'
import { listQuery } from './lists.ts'
import { numberCode } from './numbers.ts'
import { normalisePhone } from './phones.ts'
import { STAFF_ROLES } from './staff-rules.ts'
import {
  EMAIL_MAX,
  ENTER_EMAIL,
  ENTER_PASSWORD,
  ENTER_USERNAME,
  emailProblem,
  knownPasswordProblem,
  normaliseEmail,
  normaliseUsername,
  PASSWORD_MAX,
  PASSWORD_MIN,
  passwordProblem,
  USERNAME_MAX,
  USERNAME_MIN,
  usernameProblem,
} from './user-rules.ts'

export const USER_LEVELS = ['Customer', 'Agent', 'Admin'] as const
export type UserLevel = (typeof USER_LEVELS)[number]
export const USER_STATUSES = ['Active', 'Banned'] as const
export type UserStatus = (typeof USER_STATUSES)[number]

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
  /** Of oneself, for somebody who works for the shop. */
  roles: z.optional(z.array(z.enum(STAFF_ROLES))),
  /** Of oneself, for a customer who has a shop or sells under an agent, also when that ended: what they earned is theirs to see. */
  sells: z.optional(z.boolean()),
})
export type User = z.output<typeof user>

/** Staff who may not see wallets get the list without what tells about them. */
export const listedUser = z.extend(user, {
  balance: z.optional(z.number()),
  balanceVersion: z.optional(z.number()),
  totalPurchase: z.optional(z.number()),
})
export type ListedUser = z.output<typeof listedUser>

/** The reply to login and register: the user's fields and the session's token. */
export const signedInUser = z.extend(user, { token: z.string() })
export type SignedInUser = z.output<typeof signedInUser>

/** `in: phone` searches phone numbers only; `mine` returns the caller's own record, also for an admin. */
export const userListQuery = z.extend(listQuery, {
  in: z.optional(z.literal('phone', { error: 'Search in phone numbers, or leave it out.' })),
  mine: z.optional(z.literal('true', { error: 'Send mine=true, or leave it out.' })),
})

/** The rule's errors come first; the lengths stand here for the API's description. */
export const password = z
  .string({ error: 'Enter a password.' })
  .check(accepts(passwordProblem), z.minLength(PASSWORD_MIN), z.maxLength(PASSWORD_MAX))

export const loginRequest = z.object({
  userPhone: z.pipe(z.string({ error: 'Enter your phone number.' }), z.pipe(z.transform(normalisePhone), tenDigits)),
  password: z.string({ error: ENTER_PASSWORD }).check(accepts(knownPasswordProblem), z.minLength(1), z.maxLength(PASSWORD_MAX)),
  /** From an authenticator app, or a recovery code; only for staff who have switched it on (CODE_NEEDED). */
  code: z.optional(z.string().check(tidy(), z.maxLength(40, { error: 'That code is too long.' }))),
})
export type LoginRequest = z.input<typeof loginRequest>

export const username = z
  .string({ error: ENTER_USERNAME })
  .check(z.overwrite(normaliseUsername), accepts(usernameProblem), z.minLength(USERNAME_MIN), z.maxLength(USERNAME_MAX))

export const email = z.string({ error: ENTER_EMAIL }).check(z.overwrite(normaliseEmail), accepts(emailProblem), z.maxLength(EMAIL_MAX))

export const registerRequest = z.object({
  username,
  email,
  phone,
  password,
  /** Who invited the customer, from their link; one that leads to nobody is ignored. */
  invitation: z.optional(z.string().check(z.maxLength(20, { error: 'This invitation is not one of ours.' }))),
  /** For a phone number that an account has: what `POST /user/register/code` replied, and the code that it sent. */
  number: z.optional(z.object({ claim: z.uuid({ error: 'Please have a new code sent.' }), code: numberCode })),
})
export type RegisterRequest = z.input<typeof registerRequest>

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
    summary: 'Oneself; staff see all users, and their balances if they may see wallets',
    access: 'signed-in',
    query: userListQuery,
    reply: z.array(listedUser),
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
    summary: 'The same as GET /user; staff who may not see wallets get only themselves',
    access: 'signed-in',
    query: userListQuery,
    reply: z.array(listedUser),
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
    errors: ['UNPAID', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'PASSWORD_NEEDED', 'SECOND_FACTOR_NEEDED', 'OUTSIDE_SERVICE'],
  },
  'PUT /user/:id/status': {
    id: 'changeUserStatus',
    tag: 'users',
    summary: 'Ban a user, or let them in again',
    access: 'support',
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
    errors: ['TAKEN', 'CONFLICT'],
  },
  'POST /user/login': {
    id: 'login',
    tag: 'sessions',
    summary: 'Sign in',
    access: 'anyone',
    body: loginRequest,
    reply: signedInUser,
    errors: ['UNAUTHENTICATED', 'CODE_NEEDED', 'BANNED'],
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
  'POST /user/reset-password/:token/keep': {
    id: 'keepPassword',
    tag: 'sessions',
    summary: 'Keep the password, and sign in with it in this browser, by the link in the mail',
    description: 'Uses up the link. For whoever is kept out by wrong passwords that others have typed; it signs nobody in.',
    access: 'anyone',
    params: resetPasswordParams,
    reply: messageReply,
  },
})
