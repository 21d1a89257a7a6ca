import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'

const code = z
  .string({ error: 'Type the code.' })
  .check(z.trim(), z.regex(/^[A-Za-z0-9 -]{12,20}$/, { error: 'A code has 12 letters and digits, like K7WP-2MXR-9TQA.' }))

export const refundEndpoints = endpoints({
  'POST /shops/payment/:reference/refund-codes': {
    id: 'showRefundCodes',
    tag: 'agent-shops',
    summary: 'Show a guest the codes for what could not go back the way it came; those shown before end',
    access: 'anyone',
    params: z.object({ reference: z.string().check(z.regex(/^[A-Za-z0-9]{16,24}$/, { error: 'That payment does not exist.' })) }),
    reply: z.object({ codes: z.array(z.object({ amount: z.number(), code: z.string() })) }),
    errors: ['NOT_FOUND'],
  },
  'POST /refund-codes': {
    id: 'claimRefund',
    tag: 'wallet',
    summary: "Put a guest's refund into one's own wallet by its code, once",
    access: 'signed-in',
    body: z.object({ code }),
    reply: z.object({ amount: z.number(), balance: z.number() }),
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
})
