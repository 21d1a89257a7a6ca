import { useState } from 'react'
import { formatDateTime } from '../../../../../shared/dates.ts'
import type { Decision, Order } from '../../../../../shared/orders.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { supplierName } from '../../../../../shared/supplier-names.ts'
import type { SupplierDelivery } from '../../../../../shared/suppliers.ts'
import { decisionWarning, standingOf } from '../../../../lib/admin/supplier-words.ts'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { Detail, Details } from '../../../../ui/details.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { StatusBadge } from '../../../../ui/status-badge.tsx'
import { OrderStatus } from './order-status.tsx'

/** How an order stands; where a supplier has to do with it, a press opens all that is known of that. */
export function OrderSupplier({ order }: { order: Order }) {
  const [open, setOpen] = useState(false)
  const { supplier } = order
  if (!supplier) return <OrderStatus order={order} />
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={`${supplierName(supplier.name)}: ${standingOf(supplier).word}`}
        title={`Order ${order.id} at ${supplierName(supplier.name)}`}
        onClick={() => setOpen(true)}
        className="relative inline-flex rounded-full before:absolute before:-inset-2.5 hover:opacity-85"
      >
        <OrderStatus order={order} />
      </button>
      {open && <SupplierDialog order={order} supplier={supplier} onClose={() => setOpen(false)} />}
    </>
  )
}

function SupplierDialog({ order, supplier, onClose }: { order: Order; supplier: SupplierDelivery; onClose: () => void }) {
  const { word, tone, meaning } = standingOf(supplier)
  const { supplierReference, attempts, detail, updatedAt } = supplier
  return (
    <Dialog title={`Order ${order.id} at ${supplierName(supplier.name)}`} onClose={onClose}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pb-4">
        <StatusBadge tone={tone}>{word}</StatusBadge>
        <p className="min-w-0 flex-1 basis-56">{meaning}</p>
      </div>
      <Details>
        <Detail name="Bundle">
          {order.network} {order.offer} to {spacedPhone(order.receiver)}
        </Detail>
        <Detail name="Our reference">
          <CopyButton text={order.reference} label={`${order.reference}, copy our reference`}>
            <span className="break-all">{order.reference}</span>
          </CopyButton>
        </Detail>
        <Detail name="Their reference">
          {supplierReference === null ? (
            <span className="text-muted">None yet</span>
          ) : (
            <CopyButton text={supplierReference} label={`${supplierReference}, copy their reference`}>
              <span className="break-all">{supplierReference}</span>
            </CopyButton>
          )}
        </Detail>
        <Detail name="Sent">{attempts === 0 ? 'Not yet' : attempts === 1 ? 'Once' : `${attempts} times`}</Detail>
        <Detail name="Last contact">
          <span className="tabular">{formatDateTime(new Date(updatedAt))}</span>
        </Detail>
      </Details>
      <p className="mt-4 rounded-box bg-sunken px-3 py-2 break-words">
        <span className="block text-small font-semibold text-muted">What {supplierName(supplier.name)} last said</span>
        {detail || 'Nothing yet'}
      </p>
    </Dialog>
  )
}

/** Under the question before a decision by hand: what the supplier may be doing with the order. */
export function SupplierWarning({ order, status }: { order: Order; status: Decision }) {
  const warning = decisionWarning(order, status)
  return (
    warning && (
      <NoticeBox tone="pending" className="mt-4">
        {warning}
      </NoticeBox>
    )
  )
}
