import * as z from 'zod/mini'
import { endpoints, idParam, messageReply } from './endpoint.ts'
import { network, phone, tidy } from './fields.ts'

/** The most numbers that one customer can give a name. */
export const MAX_CONTACTS = 500

const MAX_CONTACT_NAME = 40
const NAME = `Enter a name of 1 to ${MAX_CONTACT_NAME} characters.`

const saveContactRequest = z.object({
  network,
  phoneNumber: phone,
  name: z.string({ error: NAME }).check(tidy(), z.minLength(1, { error: NAME }), z.maxLength(MAX_CONTACT_NAME, { error: NAME })),
})
export type SaveContactRequest = z.output<typeof saveContactRequest>

/**
 * A number that the customer has named or bought for lately. `contactId` and `name` are null for a number without a name;
 * `productId`, `offer` and `lastBoughtAt` (an ISO time) tell of its newest order and are null when that is long ago.
 */
const receiver = z.object({
  network: z.string(),
  phoneNumber: z.string(),
  contactId: z.nullable(z.string()),
  name: z.nullable(z.string()),
  productId: z.nullable(z.string()),
  offer: z.nullable(z.string()),
  lastBoughtAt: z.nullable(z.string()),
})
export type Receiver = z.output<typeof receiver>

export const contactEndpoints = endpoints({
  'GET /contact': {
    id: 'listReceivers',
    tag: 'contacts',
    summary: 'The numbers one has named or bought for lately: last bought first, then by name',
    access: 'signed-in',
    reply: z.array(receiver),
  },
  'PUT /contact': {
    id: 'saveContact',
    tag: 'contacts',
    summary: 'Give a number of a network a name, or another name',
    access: 'signed-in',
    body: saveContactRequest,
    reply: z.object({ contact: z.object({ _id: z.string(), network: z.string(), phoneNumber: z.string(), name: z.string() }) }),
    errors: ['CONFLICT'],
  },
  'DELETE /contact/:id': {
    id: 'deleteContact',
    tag: 'contacts',
    summary: 'Forget the name of a number',
    access: 'signed-in',
    params: idParam('contact'),
    reply: messageReply,
    errors: ['NOT_FOUND'],
  },
})
