import * as z from 'zod/mini'
import { endpoints } from './endpoint.ts'

/** `offered`: the shop sends text messages to buyers. `sms`: this customer gets them; `phone` is where they go. */
const news = z.object({ offered: z.boolean(), sms: z.boolean(), phone: z.string() })
export type News = z.output<typeof news>

export const newsEndpoints = endpoints({
  'GET /user/news': {
    id: 'readNews',
    tag: 'users',
    summary: "Whether one gets text messages about one's own orders",
    access: 'signed-in',
    reply: news,
  },
  'PUT /user/news': {
    id: 'changeNews',
    tag: 'users',
    summary: "Choose whether to get text messages about one's own orders, where the shop sends them",
    access: 'signed-in',
    body: z.object({ sms: z.boolean({ error: 'Say yes or no: text messages about your orders.' }) }),
    reply: news,
  },
})
