import { type Shop, shopEndpoints } from '../../../shared/shop.ts'
import type { Api } from '../../platform/http/api.ts'
import { mount } from '../../platform/http/mount.ts'

export function shopRoutes(app: Api, shop: Shop) {
  mount(app, shopEndpoints, { 'GET /shop': async () => shop })
}
