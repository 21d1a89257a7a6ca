import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Decision, Order } from '../../../../../shared/orders.ts'
import { aboutRecord } from '../../../../lib/about-record.ts'
import { capitalised, counted } from '../../../../lib/admin/words.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { moneyText } from '../../../../ui/money.tsx'
import { toast } from '../../../../ui/toast.ts'
import { useDecideOrders } from '../../../orders/orders/admin/api.ts'
import { OrderFacts } from '../../../orders/orders/admin/order-facts.tsx'
import { SupplierWarning } from '../../../orders/orders/admin/order-supplier.tsx'
import { asksForReasonAlone, toRequest } from '../../../orders/orders/admin/plan-decisions.ts'
import { refundPlan } from '../../../orders/orders/admin/refund-words.ts'
import { matchesQuery } from '../../../wallet/received-payments/admin/api.ts'
import { approveTogether } from '../../../wallet/received-payments/admin/approve-together.ts'
import type { InboxRow } from './inbox-rows.tsx'

/** What the buttons of the inbox do, and which row is busy. Each act that moves money or data asks first. */
export function useInboxActs() {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const [busy, setBusy] = useState<string | null>(null)
  const { decideOne, decideMany } = useDecideOrders()
  // The same press makes one batch, however often it is sent.
  const batchKeys = useRef(new Map<string, string>())

  const whileBusy = async (key: string, work: () => Promise<void>) => {
    setBusy(key)
    try {
      await work()
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      await client.invalidateQueries({ queryKey: ['inbox'] })
      setBusy(null)
    }
  }

  const decide = async (order: Order, status: Decision) => {
    if (asksForReasonAlone(order, status)) return navigate(`/admin/orders/${order.number}`)
    const verb = status === 'completed' ? 'process' : 'reject'
    const yes = await confirmAction({
      about: aboutRecord(order, 'status', 'receiver'),
      question: `Are you sure you want to ${verb} order ${order.id}?`,
      title: `${capitalised(verb)} order`,
      danger: status === 'rejected',
      details: (
        <>
          <OrderFacts order={order} />
          <SupplierWarning order={order} status={status} />
          {status === 'rejected' && <p className="mt-3 text-body text-muted">{refundPlan(order)}</p>}
        </>
      ),
    })
    if (yes) await whileBusy(order._id, () => decideOne(order, status))
  }

  const complete = async ({ key, group }: InboxRow) => {
    const { orders } = group
    const worth = orders.reduce((sum, order) => sum + Math.round(order.totalAmount * 100), 0) / 100
    const yes = await confirmAction({
      question: `Are you sure you want to process ${counted(orders.length, 'order')} worth ${moneyText(worth)}?`,
      title: 'Process orders',
      details: 'The supplier says that they are delivered.',
    })
    if (!yes) return
    await whileBusy(key, async () => {
      const refused = await decideMany(orders, toRequest([], orders, 'completed', ''))
      for (const { order, message } of refused ?? []) toast.danger(`Order ${order.id}: ${message}`)
    })
  }

  const makeBatch = ({ key, group: { network } }: InboxRow) =>
    whileBusy(key, async () => {
      if (network === null) return
      const chosen = batchKeys.current.get(key) ?? crypto.randomUUID()
      batchKeys.current.set(key, chosen)
      const { batch } = await call('POST /admin/batches', { body: { key: chosen, network: network as 'MTN' } })
      batchKeys.current.delete(key)
      navigate(`/admin/batches/${batch.number}`)
    })

  const approve = ({ key }: InboxRow) =>
    whileBusy(key, async () => {
      const { certain } = await client.fetchQuery({ ...matchesQuery, staleTime: 0 })
      for (const sentence of (await approveTogether(certain)) ?? []) toast.danger(sentence)
    })

  const retry = ({ key, group: { subject } }: InboxRow) =>
    whileBusy(key, async () => {
      if (subject === null) return
      const { message } = await call('POST /admin/jobs/:id/retry', { params: { id: subject } })
      toast.success(message)
      await client.invalidateQueries({ queryKey: ['jobs'] })
    })

  const act = (row: InboxRow): void => {
    if (row.act === 'process' && row.order) void decide(row.order, 'completed')
    else if (row.act === 'complete') void complete(row)
    else if (row.act === 'batch') void makeBatch(row)
    else if (row.act === 'approve') void approve(row)
    else if (row.act === 'retry') void retry(row)
    else navigate(row.href)
  }
  const isBusy = ({ key, order }: InboxRow) => busy !== null && (busy === key || busy === order?._id)
  return { act, decide, isBusy, busy }
}
