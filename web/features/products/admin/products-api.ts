import { useQueryClient } from '@tanstack/react-query'
import type { PackageInput, Product, ProductStatus } from '../../../../shared/products.ts'
import { refreshSoon } from '../../../lib/cached-lists.ts'
import { request } from '../../../lib/http.ts'
import { applyProductChange, catalogue } from '../api.ts'

/** Without `image` a product keeps the one it has. */
export type ProductToSave = { network: string; image?: string; packages: PackageInput[]; status: ProductStatus }

/** The writes of the catalogue; what the server made of them is shown in every list at once. */
export function useProductWrites() {
  const client = useQueryClient()
  const show = (change: Product | { _id: string; deleted: true }) => {
    applyProductChange(change)
    catalogue.invalidate()
    refreshSoon(client, ['admin-actions'])
  }
  return {
    save: async (id: string | null, product: ProductToSave): Promise<void> => {
      const reply = await request<{ product: Product }>(id ? 'PUT' : 'POST', id ? `/product/${id}` : '/product/create', {
        body: product,
        timeoutMs: 60_000,
      })
      show(reply.product)
    },
    changeStatus: async (product: Product, status: ProductStatus): Promise<void> => {
      const reply = await request<{ product: Product }>('PUT', `/product/${product._id}/status`, { body: { status } })
      show(reply.product)
    },
    remove: async (product: Product): Promise<void> => {
      await request('DELETE', `/product/${product._id}`)
      show({ _id: product._id, deleted: true })
    },
  }
}
