import * as z from 'zod/mini'
import { endpoints, messageReply } from './endpoint.ts'
import { accepts, tidy } from './fields.ts'
import { ENTER_PIN, knownPinProblem, newPinProblem, PIN_PROOF_HEADER } from './pin-rules.ts'
import { ENTER_PASSWORD, knownPasswordProblem } from './user-rules.ts'

const password = z.string({ error: ENTER_PASSWORD }).check(accepts(knownPasswordProblem))
const knownPin = z.string({ error: ENTER_PIN }).check(accepts(knownPinProblem))
const newPin = z.string({ error: 'Choose your PIN.' }).check(accepts((pin) => newPinProblem(pin)))
const atCheckout = z.boolean({ error: 'Say whether to ask for the PIN before you pay.' })
const code = z.string({ error: 'Enter the 6 digits of the code.' }).check(
  tidy(),
  z.overwrite((typed) => typed.replaceAll(' ', '')),
  z.regex(/^\d{6}$/, { error: 'Enter the 6 digits of the code.' }),
)

/** The optional header of what spends from the wallet. */
export const pinProofHeader = { [PIN_PROOF_HEADER]: z.optional(z.string().check(z.maxLength(100))) }

/** How a forgotten PIN is replaced: by a code in an SMS, the staff's app, or, where no SMS can be sent, after a day. */
const resetReply = z.discriminatedUnion('by', [
  /** `to`: the number with its middle hidden. */
  z.object({ by: z.literal('sms'), to: z.string() }),
  z.object({ by: z.literal('app') }),
  /** From when on a new PIN can be chosen, an ISO time. */
  z.object({ by: z.literal('wait'), from: z.string() }),
])
export type PinReset = z.output<typeof resetReply>

/** Times are ISO. `lockedUntil` is null unless it is locked now. */
const ownPin = z.object({ atCheckout: z.boolean(), changedAt: z.string(), lockedUntil: z.nullable(z.string()) })
const pinReply = z.object({ pin: z.nullable(ownPin) })
export type PinReply = z.output<typeof pinReply>

const WRONG = ['PIN_LOCKED', 'CONFLICT'] as const

export const transactionPinEndpoints = endpoints({
  'GET /user/me/pin': {
    id: 'readPin',
    tag: 'wallet',
    summary: "Whether one's wallet is spent only with a PIN",
    access: 'signed-in',
    reply: pinReply,
  },
  'POST /user/me/pin': {
    id: 'recordPin',
    tag: 'wallet',
    summary: 'Choose a PIN of 4 to 6 digits for spending from the wallet',
    access: 'signed-in',
    body: z.object({ password, pin: newPin, atCheckout }),
    reply: pinReply,
    errors: ['CONFLICT'],
  },
  'PUT /user/me/pin': {
    id: 'changePin',
    tag: 'wallet',
    summary: 'Change the PIN, or whether purchases on the site ask for it',
    access: 'signed-in',
    body: z.object({ currentPin: knownPin, pin: z.optional(newPin), atCheckout: z.optional(atCheckout) }),
    reply: pinReply,
    errors: WRONG,
  },
  'POST /user/me/pin/end': {
    id: 'endPin',
    tag: 'wallet',
    summary: 'Remove the PIN',
    access: 'signed-in',
    body: z.object({ currentPin: knownPin }),
    reply: messageReply,
    errors: WRONG,
  },
  'POST /user/me/pin/proof': {
    id: 'createPinProof',
    tag: 'wallet',
    summary: `Give the PIN; the proof in the reply goes into the header ${PIN_PROOF_HEADER} of one purchase`,
    access: 'signed-in',
    body: z.object({ pin: knownPin }),
    reply: z.object({ proof: z.string(), expiresAt: z.string() }),
    errors: WRONG,
  },
  'POST /user/me/pin/reset-code': {
    id: 'sendPinResetCode',
    tag: 'wallet',
    summary: 'Forgotten: give the password to be sent a code for a new PIN',
    access: 'signed-in',
    body: z.object({ password }),
    reply: resetReply,
    errors: ['CONFLICT'],
  },
  'POST /user/me/pin/reset': {
    id: 'resetPin',
    tag: 'wallet',
    summary: 'Choose a new PIN with the password and the code',
    access: 'signed-in',
    body: z.object({ password, code: z.optional(code), pin: newPin }),
    reply: pinReply,
    errors: ['CONFLICT'],
  },
})
