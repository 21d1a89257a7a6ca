import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'
import { accepts, phone } from './fields.ts'
import { numberCodeProblem } from './number-rules.ts'

const ENTER_DIGITS = 'Enter the 6 digits from the message.'

/** What was typed as a code, whose spaces and dashes do not matter. */
export const numberCode = z.string({ error: ENTER_DIGITS }).check(
  z.maxLength(20, { error: ENTER_DIGITS }),
  z.overwrite((text) => text.replace(/[\s-]/g, '')),
  accepts(numberCodeProblem),
)

/** The reply to a request for a code. */
export const codeSent = z.object({
  /** The number is confirmed already, and no code was sent. */
  confirmed: z.boolean(),
  /** Seconds until another code can be sent. */
  waitSeconds: z.number(),
})

/** A number that the caller has confirmed by a code; `confirmedAt` is an ISO time. */
const confirmedNumber = z.object({ phoneNumber: z.string(), confirmedAt: z.string() })

/** `sendsCodes`: the shop can send codes by SMS. `emailConfirmed`: a mail to the caller's address was answered. */
const numbers = z.object({ confirmed: z.array(confirmedNumber), sendsCodes: z.boolean(), emailConfirmed: z.boolean() })

export const numberEndpoints = endpoints({
  'POST /user/register/code': {
    id: 'sendRegistrationCode',
    tag: 'users',
    summary: 'Send a code by SMS to a number that one wants to register with, though an account has it',
    access: 'anyone',
    body: z.object({ phoneNumber: phone }),
    /** `claim` goes with the code to `POST /user/register`. */
    reply: z.object({ claim: z.string(), waitSeconds: z.number() }),
    errors: ['CONFLICT'],
  },
  'GET /user/me/numbers': {
    id: 'listConfirmedNumbers',
    tag: 'users',
    summary: 'The numbers that the caller has confirmed: payments from them are credited without a person',
    access: 'signed-in',
    reply: numbers,
  },
  'POST /user/me/numbers/code': {
    id: 'sendNumberCode',
    tag: 'users',
    summary:
      'Send a code by SMS to a number that the caller pays from. Asked for again at once, it sends nothing and says how long to wait',
    access: 'signed-in',
    body: z.object({ phoneNumber: phone }),
    reply: codeSent,
    errors: ['CONFLICT'],
  },
  'POST /user/me/numbers': {
    id: 'confirmNumber',
    tag: 'users',
    summary: 'Confirm a number by the code that was sent to it; an account that had confirmed it before loses it and is told',
    access: 'signed-in',
    body: z.object({ phoneNumber: phone, code: numberCode }),
    reply: numbers,
    errors: ['CONFLICT'],
  },
})
