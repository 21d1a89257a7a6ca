import * as z from 'zod/mini'
import { AFA_REGIONS, afaNameProblem, afaTextProblem, birthDateProblem, ghanaCardProblem, typeGhanaCard } from './afa-rules.ts'
import { endpoints } from './endpoint.ts'
import { accepts, phone, tidy } from './fields.ts'
import { pageQuery } from './lists.ts'
import { orderId, orderParams } from './orders.ts'
import { plainText } from './readers/reading.ts'

/** Without what nobody sees, such as the marks that come with a name that was copied. */
const plain = () => z.overwrite(plainText)
const text = z.string({ error: 'Please fill this in.' }).check(plain(), tidy(), accepts(afaTextProblem))

/** What a registration is asked for. */
const afaDetails = z.object({
  fullName: z.string({ error: 'Enter the full name.' }).check(plain(), tidy(), accepts(afaNameProblem)),
  phone,
  ghanaCard: z.string({ error: 'Enter the number of the Ghana Card.' }).check(z.overwrite(typeGhanaCard), accepts(ghanaCardProblem)),
  birthDate: z.string({ error: 'Enter the day of birth.' }).check(accepts((day) => birthDateProblem(day, new Date()))),
  region: z.enum(AFA_REGIONS, { error: 'Choose the region.' }),
  town: text,
  occupation: text,
})
export const afaDetailsForm = z.extend(afaDetails, { consent: z.literal(true, { error: 'Please agree that we pass the details on.' }) })
export type AfaForm = z.input<typeof afaDetailsForm>

/** `form` names the details in a line of a purchase (`afa`); they are erased after two days if nothing is bought with them. */
export const afaFormReply = z.object({ form: z.uuid() })

/** `needed`: the order waits for the details. `registered` and `refused` are how the order ended. */
export const AFA_STATES = ['needed', 'received', 'sent', 'registered', 'refused'] as const
export type AfaState = (typeof AFA_STATES)[number]

/** What its buyer sees of it: name and numbers with their middle hidden, null before they are given and once they are erased. */
const ownAfa = z.object({
  state: z.enum(AFA_STATES),
  fullName: z.nullable(z.string()),
  ghanaCard: z.nullable(z.string()),
  /** How many days after the order has ended the details are erased. */
  keepDays: z.number(),
  refusal: z.nullable(z.string()),
})
export type OwnAfa = z.output<typeof ownAfa>
const ownReply = z.object({ registration: ownAfa })

const guestParam = z.object({ reference: z.string().check(z.regex(/^[A-Za-z0-9]{16,24}$/, { error: 'That order does not exist.' })) })

/** For the staff. Times are ISO. */
const afaRow = z.object({
  orderId: z.string(),
  number: z.string(),
  buyer: z.string(),
  state: z.enum(AFA_STATES),
  fullName: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  ghanaCard: z.nullable(z.string()),
  orderedAt: z.string(),
  givenAt: z.nullable(z.string()),
  batch: z.nullable(z.number()),
  erasedAt: z.nullable(z.string()),
})
export type AfaRow = z.output<typeof afaRow>

const REASON = 'Say why in 3 to 200 characters.'
const reason = z.string({ error: REASON }).check(tidy(), z.minLength(3, { error: REASON }), z.maxLength(200, { error: REASON }))

export const afaEndpoints = endpoints({
  'POST /afa': {
    id: 'giveAfa',
    tag: 'orders',
    summary: 'Give the details of the person whom AFA shall register, before it is paid for: `form` names them in the purchase',
    access: 'signed-in',
    body: afaDetailsForm,
    reply: afaFormReply,
    errors: ['TAKEN', 'CONFLICT'],
  },
  'GET /order/:id/afa': {
    id: 'readAfa',
    tag: 'orders',
    summary: 'How far the registration of an own AFA order is',
    access: 'signed-in',
    params: orderParams,
    reply: ownReply,
    errors: ['NOT_FOUND'],
  },
  'POST /order/:id/afa': {
    id: 'recordAfa',
    tag: 'orders',
    summary: 'Give the details of the person whom an own AFA order registers; they can be corrected until they are sent on',
    access: 'signed-in',
    params: orderParams,
    body: afaDetailsForm,
    reply: ownReply,
    errors: ['NOT_FOUND', 'CONFLICT', 'TAKEN'],
  },
  'GET /shops/order/:reference/afa': {
    id: 'readGuestAfa',
    tag: 'agent-shops',
    summary: "How far the registration of a guest's AFA order is",
    access: 'anyone',
    params: guestParam,
    reply: ownReply,
    errors: ['NOT_FOUND'],
  },
  'POST /shops/order/:reference/afa': {
    id: 'recordGuestAfa',
    tag: 'agent-shops',
    summary: "Give the details of the person whom a guest's AFA order registers",
    access: 'anyone',
    params: guestParam,
    body: afaDetailsForm,
    reply: ownReply,
    errors: ['NOT_FOUND', 'CONFLICT', 'TAKEN'],
  },
  'GET /admin/afa': {
    id: 'listAfa',
    tag: 'admin',
    summary: 'AFA orders, oldest first, with names and numbers hidden but for their ends',
    access: 'orders',
    query: z.extend(pageQuery, { state: z.enum(AFA_STATES, { error: 'Choose a state from the list.' }) }),
    reply: z.array(afaRow),
    list: true,
  },
  'POST /admin/afa/:id/reveal': {
    id: 'revealAfa',
    tag: 'admin',
    summary: 'The details of one person; who looked and why is recorded',
    access: 'orders',
    params: z.object({ id: orderId }),
    body: z.object({ reason }),
    reply: z.object({ details: afaDetails }),
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'POST /admin/afa/export': {
    id: 'exportAfa',
    tag: 'admin',
    summary: 'The file for the registrar: all details that were not sent yet, at most 500, or an earlier batch again',
    access: 'orders',
    body: z.object({
      batch: z.optional(z.int({ error: 'That batch does not exist.' }).check(z.positive({ error: 'That batch does not exist.' }))),
    }),
    reply: 'csv',
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
})
