import { queryOptions } from '@tanstack/react-query'
import type { Network } from '../../../../../shared/networks.ts'
import type { PackageInput, Product, ProductStatus } from '../../../../../shared/products.ts'
import { call } from '../../../../lib/api.ts'
import { refreshSoon } from '../../../../lib/query-client.ts'
import { applyProductChange, refreshCatalogue } from '../api.ts'

/** Without `image` a product keeps the one it has; a new one is refused. */
export type ProductToSave = { network: Network; image?: string; packages: PackageInput[]; status: ProductStatus }

export const packageCostsQuery = queryOptions({
  queryKey: ['package-costs'],
  queryFn: ({ signal }) => call('GET /admin/costs', { signal }),
})

/** The catalogue's writes; every list shows the result at once. */
export function useProductWrites() {
  const show = (change: Product | { _id: string; deleted: true }) => {
    applyProductChange(change)
    refreshCatalogue()
    refreshSoon(['admin-actions'])
  }
  return {
    save: async (id: string | null, product: ProductToSave): Promise<{ waits: boolean }> => {
      const timeoutMs = 60_000
      const reply = id
        ? await call('PUT /product/:id', { params: { id }, body: product, timeoutMs })
        : await call('POST /product/create', { body: { image: '', ...product }, timeoutMs })
      show(reply.product)
      // New packages of somebody who is not an owner are hidden until one agrees.
      return { waits: reply.product.packages.length < product.packages.length }
    },
    changeStatus: async (product: Product, status: ProductStatus): Promise<void> => {
      const reply = await call('PUT /product/:id/status', { params: { id: product._id }, body: { status } })
      show(reply.product)
    },
    remove: async (product: Product): Promise<void> => {
      await call('DELETE /product/:id', { params: { id: product._id } })
      show({ _id: product._id, deleted: true })
    },
  }
}
