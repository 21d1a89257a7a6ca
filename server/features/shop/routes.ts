import { type Shop, shop } from '../../../shared/shop.ts'
import type { Api } from '../../platform/http/api.ts'

export function shopRoutes(app: Api, details: Shop) {
  app.get(
    '/shop',
    { config: { access: 'anyone' }, schema: { tags: ['shop'], summary: 'What the shop calls itself', response: { 200: shop } } },
    async () => details,
  )
}
