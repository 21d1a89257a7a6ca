import * as z from 'zod/mini'
import { CHANNELS } from './channel-rules.ts'
import { endpoints } from './endpoint.ts'
import { positiveCedis } from './fields.ts'

const MOST = 'Enter at least 1 cedi and at most 10,000.'
const limit = positiveCedis.check(z.minimum(1, { error: MOST }), z.maximum(10_000, { error: MOST }))

/** Amounts in cedis. */
const channelRules = z.object({
  isOn: z.boolean({ error: 'Say yes or no: buying here.' }),
  /** The most that one order may cost, and one customer's orders of a day (UTC) together. */
  mostPerOrder: limit,
  mostPerDay: limit,
})
export type ChannelRules = z.output<typeof channelRules>

const params = z.object({ channel: z.enum(CHANNELS, { error: 'Choose ussd or whatsapp.' }) })

export const channelEndpoints = endpoints({
  'GET /admin/channel/:channel': {
    id: 'readChannel',
    tag: 'admin',
    summary: 'Whether customers can buy by a channel besides the site, and for how much',
    access: 'owner',
    params,
    reply: channelRules,
  },
  'PUT /admin/channel/:channel': {
    id: 'changeChannel',
    tag: 'admin',
    summary: 'Switch a channel on or off and change its limits; what is not sent stays as it is',
    access: 'owner',
    params,
    body: z.partial(channelRules),
    reply: channelRules,
  },
})
