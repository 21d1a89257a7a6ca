import { ChevronRight, Package, Plus } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { PRODUCT_STATUSES, type Product, type ProductStatus } from '../../../../../shared/products.ts'
import { capitalised, counted } from '../../../../lib/admin/words.ts'
import { messageOf } from '../../../../lib/http.ts'
import { CHANGED, noteOwnChange, useChangedRows } from '../../../../ui/admin/changed-rows.ts'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { type Column, DataTable } from '../../../../ui/data-table.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { controlClass, SelectControl } from '../../../../ui/field.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { NetworkBadge } from '../../../../ui/network-badge.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useLastPage, useListState } from '../../../../ui/use-list-state.ts'
import { useProducts } from '../api.ts'
import { useProductWrites } from './api.ts'
import { ProductDialog } from './product-dialog.tsx'

const NO_FILTERS = {}
const versionOf = (product: Product) => JSON.stringify(product)

/** The catalogue: what is sold, at which prices, and whether it is in stock. */
export function ProductsTab({ hidden }: { hidden: ReadonlyMap<string, readonly string[]> }) {
  const { data, error, refetch } = useProducts()
  const list = useListState(NO_FILTERS)
  const { changeStatus, remove } = useProductWrites()
  const [editing, setEditing] = useState<Product | 'new' | null>(null)
  const [busy, setBusy] = useState<string | null>(null)

  const { page, pageSize } = list.table
  const matching = data && searchProducts(data, list.table.search)
  const rows = matching?.slice((page - 1) * pageSize, page * pageSize)
  useLastPage(rows && matching && { rows, total: matching.length }, list)
  const changed = useChangedRows(data, versionOf, 'products')

  const setStatus = async (product: Product, status: ProductStatus) => {
    setBusy(product._id)
    noteOwnChange(product._id)
    try {
      await changeStatus(product, status)
      toast.success('Product status updated successfully')
    } catch (failure) {
      toast.danger(`Error updating product status: ${messageOf(failure)}`)
    } finally {
      setBusy(null)
    }
  }
  const askToDelete = async (product: Product) => {
    const yes = await confirmAction({
      question: 'Are you sure you want to delete this product?',
      title: `Delete ${product.network}`,
      danger: true,
      details: (
        <p className="text-muted">
          {product.network}, {counted(product.packages.length, 'package')}. Orders keep what was bought.
        </p>
      ),
    })
    if (!yes) return
    setBusy(product._id)
    try {
      await remove(product)
      toast.success('Product deleted successfully')
    } catch (failure) {
      toast.danger(`Error deleting product: ${messageOf(failure)}`)
    } finally {
      setBusy(null)
    }
  }

  const statusSelect = (product: Product) => (
    <StatusSelect product={product} busy={busy === product._id} onStatus={(status) => void setStatus(product, status)} />
  )
  const actions = (product: Product) => (
    <span className="flex gap-2 max-md:grid max-md:grid-cols-2">
      <Button variant="secondary" size="compact" disabled={busy === product._id} onClick={() => setEditing(product)}>
        Update
      </Button>
      <Button variant="danger" size="compact" disabled={busy === product._id} onClick={() => void askToDelete(product)}>
        Delete
      </Button>
    </span>
  )
  const columns: Column<Product>[] = [
    { key: 'id', header: 'ID', cell: (product) => <span className="tabular">{product.productId}</span> },
    { key: 'network', header: 'Network', cell: (product) => <NetworkBadge network={product.network} className="whitespace-nowrap" /> },
    { key: 'image', header: 'Image', cell: (product) => <Thumbnail product={product} /> },
    { key: 'packages', header: 'Packages', cell: (product) => <Packages product={product} /> },
    { key: 'status', header: 'Status', cell: statusSelect },
    { key: 'action', header: 'Action', cell: actions },
  ]
  const addButton = (
    <Button variant="secondary" icon={<Plus className="size-5" aria-hidden="true" />} onClick={() => setEditing('new')}>
      Add New Product
    </Button>
  )

  return (
    <>
      {data && <RefreshProblem error={error} onRetry={() => void refetch()} />}
      {error && !data ? (
        <LoadError what="The products" error={error} onRetry={() => void refetch()} />
      ) : (
        <DataTable
          caption="Products"
          columns={columns}
          rows={rows}
          rowKey={(product) => product._id}
          total={matching?.length ?? 0}
          state={list.table}
          onState={list.setTable}
          searchLabel="Search products"
          rowClass={(product) => (changed.has(product._id) ? CHANGED : undefined)}
          card={(product) => <ProductCard product={product} status={statusSelect(product)} actions={actions(product)} />}
          empty={<EmptyState icon={<Package />} title="No products available, use the button above" />}
          actions={addButton}
        />
      )}
      {editing && (
        <ProductDialog
          key={editing === 'new' ? 'new' : editing._id}
          product={editing === 'new' ? null : editing}
          hidden={(editing !== 'new' && hidden.get(editing._id)) || []}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  )
}

/** Products are few, so they are searched here: by number, network, status and offer. */
function searchProducts(products: readonly Product[], search: string): readonly Product[] {
  const wanted = search.trim().toLowerCase()
  if (!wanted) return products
  return products.filter((product) =>
    [product.productId, product.network, product.status, ...product.packages.map((line) => line.offer)].some((text) =>
      text.toLowerCase().includes(wanted),
    ),
  )
}

function Thumbnail({ product, className = 'size-12' }: { product: Product; className?: string }) {
  return (
    <img
      src={product.image}
      alt={`${product.network}, as the store shows it`}
      loading="lazy"
      className={classNames('rounded-box border border-line bg-sunken object-cover', className)}
    />
  )
}

function Packages({ product }: { product: Product }) {
  const prices = product.packages.flatMap((line) => [line.priceCustomer, line.priceAgent])
  return (
    <details className="group">
      <summary className="-mx-2 flex min-h-11 flex-wrap cursor-pointer list-none items-center gap-1.5 rounded-box px-2 hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90" aria-hidden="true" />
        <span className="min-w-0 font-medium">{counted(product.packages.length, 'package')}</span>
        {prices.length > 0 && (
          <span className="tabular min-w-0 text-small text-muted">
            {moneyText(Math.min(...prices))} to {moneyText(Math.max(...prices))}
          </span>
        )}
      </summary>
      <table className="mt-1 mb-2 w-full max-w-md text-small">
        <thead>
          <tr className="text-left text-muted">
            <th scope="col" className="py-1 font-medium">
              Offer
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              Customer
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              Agent
            </th>
          </tr>
        </thead>
        <tbody>
          {product.packages.map((line) => (
            <tr key={line._id} className="border-t border-line">
              <td className="py-1">{line.offer}</td>
              <td className="py-1 text-right">
                <Money cedis={line.priceCustomer} />
              </td>
              <td className="py-1 text-right">
                <Money cedis={line.priceAgent} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

function StatusSelect({ product, busy, onStatus }: { product: Product; busy: boolean; onStatus: (status: ProductStatus) => void }) {
  const id = useId()
  return (
    <div className="w-40 max-md:w-full">
      <label htmlFor={id} className="sr-only">
        Status of {product.network}
      </label>
      <SelectControl
        id={id}
        value={product.status}
        disabled={busy}
        onChange={(event) => onStatus(event.currentTarget.value as ProductStatus)}
        className={classNames(
          controlClass,
          'min-h-11! text-body! max-lg:text-large! font-semibold',
          product.status === 'available' ? 'text-done!' : 'text-danger!',
        )}
      >
        {PRODUCT_STATUSES.map((status) => (
          <option key={status} value={status} className="text-ink">
            {capitalised(status)}
          </option>
        ))}
      </SelectControl>
    </div>
  )
}

function ProductCard({ product, status, actions }: { product: Product; status: ReactNode; actions: ReactNode }) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <Thumbnail product={product} className="size-14 shrink-0" />
        <div className="min-w-0 flex-1">
          <NetworkBadge network={product.network} className="text-large" />
          <p className="tabular text-small text-muted">ID {product.productId}</p>
        </div>
      </div>
      {status}
      <Packages product={product} />
      {actions}
    </div>
  )
}
