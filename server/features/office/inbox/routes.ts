import { inboxEndpoints } from '../../../../shared/inbox.ts'
import type { Shop } from '../../../../shared/shop.ts'
import type { DiskSpace } from '../../../platform/disk-space.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { readInbox } from './read-inbox.ts'

export function inboxRoutes(app: Api, shop: Pick<Shop, 'hours' | 'mode'>, disk: Pick<DiskSpace, 'low'> | null) {
  mount(app, inboxEndpoints, { 'GET /admin/inbox': ({ ctx }) => readInbox(ctx, shop, disk) })
}
