import { channelEndpoints } from '../../../../shared/channels.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { changeChannel } from './change-channel.ts'
import { selectChannel } from './customers.sql.ts'
import { presentChannel } from './present.ts'

export function channelRoutes(app: Api, { shop }: { shop: { readonly mode: 'sandbox' | 'live' } }) {
  const onByDefault = shop.mode === 'sandbox'
  mount(app, channelEndpoints, {
    'GET /admin/channel/:channel': async ({ ctx, params }) => presentChannel(await selectChannel(ctx.db, params.channel), onByDefault),
    'PUT /admin/channel/:channel': ({ ctx, params, body }) => changeChannel(ctx, { ...params, onByDefault, change: body }),
  })
}
