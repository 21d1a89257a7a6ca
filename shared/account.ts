import * as z from 'zod/mini'
import { endpoints, messageReply } from './endpoint.ts'
import { accepts, phone, tidy } from './fields.ts'
import { ENTER_PASSWORD, knownPasswordProblem, PASSWORD_MAX } from './user-rules.ts'
import { email, password, user } from './users.ts'

/** The password that the caller has now. */
const knownPassword = z.string({ error: ENTER_PASSWORD }).check(accepts(knownPasswordProblem), z.minLength(1), z.maxLength(PASSWORD_MAX))

/** One signed-in browser. `device` in words, null when it began before devices were noted; `current` is the caller's own. */
const ownSession = z.object({
  _id: z.string(),
  device: z.nullable(z.string()),
  startedAt: z.string(),
  lastUsedAt: z.string(),
  current: z.boolean(),
})

/** `since` is when the code at sign-in was switched on, or null; `codesLeft` are recovery codes. `required`: the shop asks for it. */
const ownSecondFactor = z.object({ since: z.nullable(z.string()), codesLeft: z.number(), required: z.boolean() })

/** `secondFactor` is null for customers, who have none. `workingKeys` of the developer API go on after a change of the password. */
const ownAccount = z.object({ user, sessions: z.array(ownSession), secondFactor: z.nullable(ownSecondFactor), workingKeys: z.number() })
export type OwnAccount = z.output<typeof ownAccount>

const ENTER_CODE = 'Enter the 6 digits from your app, or a recovery code.'

const recoveryCodesReply = z.object({ recoveryCodes: z.array(z.string()) })

/** A code from an authenticator app. */
const appCode = z.string({ error: 'Enter the 6 digits from your app.' }).check(
  tidy(),
  z.overwrite((code) => code.replaceAll(' ', '')),
  z.regex(/^\d{6}$/, { error: 'Enter the 6 digits from your app.' }),
)

/** A code of the app, or a recovery code. */
const anyCode = z.string({ error: ENTER_CODE }).check(tidy(), z.minLength(6, { error: ENTER_CODE }), z.maxLength(40, { error: ENTER_CODE }))

export const accountEndpoints = endpoints({
  'GET /user/me/account': {
    id: 'readAccount',
    tag: 'sessions',
    summary: "One's own account: details, sessions, and the code at sign-in",
    access: 'signed-in',
    reply: ownAccount,
  },
  'PUT /user/me/password': {
    id: 'changePassword',
    tag: 'sessions',
    summary: "Choose a new password, which ends one's other sessions; with `endKeys` one's keys of the developer API too",
    access: 'signed-in',
    body: z.object({ password: knownPassword, newPassword: password, endKeys: z.optional(z.boolean()) }),
    reply: messageReply,
  },
  'PUT /user/me/contact': {
    id: 'changeContact',
    tag: 'users',
    summary: "Change one's own e-mail address or phone number; the old address is told",
    access: 'signed-in',
    body: z.object({ password: knownPassword, email: z.optional(email), phone: z.optional(phone) }),
    reply: z.object({ user }),
    errors: ['TAKEN'],
  },
  'POST /user/me/sessions/end': {
    id: 'endOwnSessions',
    tag: 'sessions',
    summary: "End one of one's other sessions, or all others",
    access: 'signed-in',
    body: z.object({ session: z.optional(z.string().check(z.regex(/^[0-9a-f]{24}$/, { error: 'That session does not exist.' }))) }),
    reply: messageReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'POST /user/me/confirm-password': {
    id: 'confirmPassword',
    tag: 'sessions',
    summary: 'Give the password again, for what asks for it (PASSWORD_NEEDED); it holds for five minutes',
    access: 'signed-in',
    body: z.object({ password: knownPassword }),
    reply: messageReply,
  },
  'POST /user/me/second-factor': {
    id: 'startSecondFactor',
    tag: 'sessions',
    summary: 'Begin to set up a code at sign-in: a secret for an authenticator app',
    access: 'staff',
    reply: z.object({ secret: z.string(), uri: z.string() }),
    errors: ['CONFLICT'],
  },
  'POST /user/me/second-factor/confirm': {
    id: 'confirmSecondFactor',
    tag: 'sessions',
    summary: 'Switch the code on with a first one; replies recovery codes, this once',
    access: 'staff',
    body: z.object({ code: appCode }),
    reply: recoveryCodesReply,
    errors: ['CONFLICT'],
  },
  'POST /user/me/second-factor/end': {
    id: 'endSecondFactor',
    tag: 'sessions',
    summary: 'Switch the code at sign-in off, by a code',
    access: 'staff',
    body: z.object({ code: anyCode }),
    reply: messageReply,
    errors: ['CONFLICT'],
  },
  'POST /user/me/recovery-codes': {
    id: 'createRecoveryCodes',
    tag: 'sessions',
    summary: 'Ten new recovery codes, by a code; the old ones stop working',
    access: 'staff',
    body: z.object({ code: anyCode }),
    reply: recoveryCodesReply,
    errors: ['CONFLICT'],
  },
})
