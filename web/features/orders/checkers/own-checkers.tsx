import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../lib/http.ts'
import { checkerTexts as texts } from '../../../texts/checkers.ts'
import { Button } from '../../../ui/button.tsx'
import { LoadError } from '../../../ui/notice-box.tsx'
import { Card } from '../../../ui/page.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useShop } from '../../shop/shop/api.ts'
import { ownCheckersQuery, sendOwnCheckers } from './api.ts'
import { CheckerCodes } from './checker-codes.tsx'

/** The codes of an own order, and their way to the phone or the mailbox again. Nothing for an order that a person processes. */
export default function OwnCheckers({ orderId }: { orderId: string }) {
  const { data, error, refetch } = useQuery(ownCheckersQuery(orderId))
  const { noSms } = useShop()
  const [busy, setBusy] = useState<'sms' | 'email' | null>(null)
  const send = async (by: 'sms' | 'email') => {
    setBusy(by)
    try {
      toast.success((await sendOwnCheckers(orderId, by)).message)
    } catch (problem) {
      toast.danger(messageOf(problem))
    } finally {
      setBusy(null)
    }
  }
  if (error && !data) return <LoadError what={texts.what} error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Loading>
        <Skeleton className="h-80" />
      </Loading>
    )
  const { checkers } = data
  if (checkers.length === 0) return null
  return (
    <Card className="flex flex-col gap-3 p-4">
      <h2 className="text-large">{texts.title(checkers.length > 1)}</h2>
      <CheckerCodes checkers={checkers} />
      <p className="text-small text-muted">{texts.secret}</p>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(8.75rem,1fr))] gap-2">
        {!noSms && (
          <Button variant="secondary" busy={busy === 'sms'} onClick={() => void send('sms')}>
            {texts.sms}
          </Button>
        )}
        <Button variant="secondary" busy={busy === 'email'} onClick={() => void send('email')}>
          {texts.email}
        </Button>
      </div>
    </Card>
  )
}
