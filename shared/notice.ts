import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'
import { phone, tidy } from './fields.ts'

/** The operator's notice to customers, and where to send mobile money. */
export const notice = z.object({
  noticeContent: z.string(),
  momoPhoneNumber: z.string(),
  momoAccountName: z.string(),
})
export type Notice = z.output<typeof notice>

export const noticeRequest = z.object({
  noticeContent: z
    .string({ error: 'Write the notice.' })
    .check(tidy(), z.maxLength(2000, { error: 'The notice has at most 2,000 characters.' })),
})

export const momoDetailsRequest = z.object({
  momoPhoneNumber: phone,
  momoAccountName: z
    .string({ error: 'Enter the account name.' })
    .check(
      tidy(),
      z.minLength(1, { error: 'Enter the account name.' }),
      z.maxLength(100, { error: 'The account name has at most 100 characters.' }),
    ),
})

export const noticeEndpoints = endpoints({
  'GET /extra/momo-details': {
    id: 'readNotice',
    tag: 'notice',
    summary: 'The notice and the mobile-money details',
    access: 'anyone',
    reply: notice,
  },
  'PUT /extra/notice': {
    id: 'changeNotice',
    tag: 'notice',
    summary: 'Change the notice',
    access: 'owner',
    body: noticeRequest,
    reply: notice,
  },
  'PUT /extra/momo-details': {
    id: 'changeMomoDetails',
    tag: 'notice',
    summary: 'Change where mobile money is to be sent',
    access: 'owner',
    body: momoDetailsRequest,
    reply: notice,
  },
})
