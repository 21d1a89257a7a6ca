import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AfaDetails } from '../../../../shared/afa-rules.ts'
import { call } from '../../../lib/api.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { afaTexts as texts } from '../../../texts/afa.ts'
import { Button } from '../../../ui/button.tsx'
import { LoadError } from '../../../ui/notice-box.tsx'
import { Card } from '../../../ui/page.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { AfaForm } from './afa-form.tsx'

/** `orderId` of one's own order; a guest has its `reference`. */
type Props = { orderId: string; reference?: string; receiver?: string }

/** The registration of an AFA order: asks for the details, and says how far it is. */
export default function AfaPanel({ orderId, reference, receiver = '' }: Props) {
  const queryKey = ['order', orderId, 'afa']
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      reference === undefined
        ? call('GET /order/:id/afa', { params: { id: orderId }, signal })
        : call('GET /shops/order/:reference/afa', { params: { reference }, signal }),
  })
  const [correcting, setCorrecting] = useState(false)
  if (error && !data) return <LoadError what={texts.what} error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <Loading label={texts.loading}>
        <Skeleton className="h-40" />
      </Loading>
    )
  const { registration } = data
  const { state, fullName, ghanaCard, refusal } = registration
  const send = async (body: AfaDetails & { consent: true }) => {
    const reply =
      reference === undefined
        ? await call('POST /order/:id/afa', { params: { id: orderId }, body })
        : await call('POST /shops/order/:reference/afa', { params: { reference }, body })
    queryClient.setQueryData(queryKey, reply)
    setCorrecting(false)
    // Its heading says what it waits for.
    void queryClient.invalidateQueries({ queryKey: [reference === undefined ? 'order' : 'tracked-order', orderId], exact: true })
    toast.success(texts.sent)
  }
  const asks = state === 'needed' || correcting
  return (
    <Card className="flex flex-col gap-3 p-4">
      <h2 className="text-large">{texts.title}</h2>
      {asks ? (
        <AfaForm
          ask={texts.ask}
          keepDays={registration.keepDays}
          receiver={receiver}
          button={texts.send}
          onSend={send}
          onCancel={correcting ? () => setCorrecting(false) : null}
        />
      ) : (
        <>
          <p role="status">{[texts.state[state], refusal].filter(Boolean).join(' ')}</p>
          {fullName && (
            <p className="font-semibold">
              {fullName} · {ghanaCard}
            </p>
          )}
          {state === 'received' && (
            <Button variant="secondary" className="self-start" onClick={() => setCorrecting(true)}>
              {texts.correct}
            </Button>
          )}
        </>
      )}
    </Card>
  )
}
