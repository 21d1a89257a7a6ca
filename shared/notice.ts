import * as z from 'zod/mini'

/** What the operator tells every customer, and where to send mobile money. */
export const notice = z.object({
  noticeContent: z.string(),
  momoPhoneNumber: z.string(),
  momoAccountName: z.string(),
})
export type Notice = z.output<typeof notice>
