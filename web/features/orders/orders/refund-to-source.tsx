import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatShortTime } from '../../../../shared/dates.ts'
import type { RefundToSource as Refund } from '../../../../shared/refunds.ts'
import { call } from '../../../lib/api.ts'
import { messageOf } from '../../../lib/http.ts'
import { queryClient, refreshSoon } from '../../../lib/query-client.ts'
import { refundToSourceTexts as texts } from '../../../texts/refund-to-source.ts'
import { Button } from '../../../ui/button.tsx'
import { confirmAction } from '../../../ui/confirm-action.ts'
import { moneyText } from '../../../ui/money.tsx'
import { LoadError } from '../../../ui/notice-box.tsx'
import { Card } from '../../../ui/page.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'

const LOOK_EVERY_MS = 30_000

/** The refund of an order that was paid by card or mobile money: sends it from the wallet back that way, and says how far it is. */
export default function RefundToSource({ orderId, now }: { orderId: string; now: Date }) {
  const queryKey = ['refund-to-source', orderId]
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call('GET /order/:id/refund-to-source', { params: { id: orderId }, signal }),
    refetchInterval: LOOK_EVERY_MS,
  })
  const [busy, setBusy] = useState(false)
  if (error && !data) return <LoadError what={texts.what} error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Loading label={texts.loading}>
        <Skeleton className="h-40" />
      </Loading>
    )

  const { refund } = data
  const words = wordsOf(refund, now)
  if (words === null) return null
  const sum = moneyText(refund.amount)
  const send = async () => {
    if (!(await confirmAction({ question: texts.question(sum), title: texts.title, details: <p>{texts.details}</p>, yes: texts.yes(sum) })))
      return
    setBusy(true)
    try {
      const { refund: sent } = await call('POST /order/:id/refund-to-source', { params: { id: orderId } })
      queryClient.setQueryData(queryKey, { refund: sent })
      toast.success(texts.sent(sum))
    } catch (problem) {
      toast.danger(messageOf(problem))
      void refetch()
    } finally {
      setBusy(false)
      refreshSoon(['statement'])
    }
  }
  return (
    <Card className="flex flex-col gap-3 p-4">
      <h2 className="text-large">{texts.title}</h2>
      <p className="text-body" role="status">
        {words}
      </p>
      {refund.state === 'offered' && (
        <Button variant="secondary" block busy={busy} busyLabel={texts.sending} onClick={() => void send()}>
          {texts.send}
        </Button>
      )}
    </Card>
  )
}

/** Null when there is nothing to say: the shop sends nothing back that way. */
function wordsOf({ state, amount, why, byHand, requestedAt, endedAt }: Refund, now: Date): string | null {
  const sum = moneyText(amount)
  const at = (time: string | null) => formatShortTime(new Date(time ?? now), now)
  switch (state) {
    case 'kept':
      return why
    case 'on-its-way':
      return texts['on-its-way'](sum, at(requestedAt))
    case 'paid':
      return byHand ? texts.byHand(sum, at(endedAt)) : texts.paid(sum, at(endedAt))
    default:
      return texts[state](sum)
  }
}
