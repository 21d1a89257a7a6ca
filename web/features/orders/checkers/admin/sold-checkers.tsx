import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { OwnChecker, SoldChecker } from '../../../../../shared/checkers.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { queryClient } from '../../../../lib/query-client.ts'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Field } from '../../../../ui/field.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { CheckerCodes } from '../checker-codes.tsx'
import { refreshStock, soldQuery } from './api.ts'

type Asking = { act: 'reveal' } | { act: 'replace'; id: string }

/** The codes of an order for staff, masked. To look at them, or to replace a faulty one, takes a reason. Nothing for other orders. */
export default function SoldCheckers({ orderId }: { orderId: string }) {
  const { data, error, refetch } = useQuery(soldQuery(orderId))
  const [asking, setAsking] = useState<Asking | null>(null)
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [open, setOpen] = useState<readonly OwnChecker[] | null>(null)
  const codes = useRef<HTMLUListElement>(null)
  /** The form with the focus in it goes. */
  const close = () => {
    setAsking(null)
    codes.current?.focus()
  }
  if (error && !data) return <LoadError what="The checkers of this order" error={error} onRetry={() => void refetch()} />
  if (!data || data.checkers.length === 0) return null
  const { checkers } = data

  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setProblem(null)
    try {
      await work()
      if (asking) close()
      setReason('')
    } catch (failed) {
      setProblem(messageOf(failed))
    } finally {
      setBusy(false)
      refreshStock()
    }
  }
  const params = { id: orderId }
  const send = () => attempt(async () => void toast.success((await call('POST /admin/order/:id/checkers/send', { params })).message))
  const confirm = (asked: Asking) =>
    attempt(async () => {
      if (asked.act === 'reveal') {
        setOpen((await call('POST /admin/order/:id/checkers/reveal', { params, body: { reason } })).checkers)
        return
      }
      const replaced = await call('POST /admin/checker-codes/:code/replace', { params: { code: asked.id }, body: { reason } })
      queryClient.setQueryData(soldQuery(orderId).queryKey, replaced)
      setOpen(null)
      toast.success('Replaced, and sent to the buyer')
    })
  const mayReplace = ({ fault, replaces }: SoldChecker) => fault === null && replaces === null

  return (
    <Card title={checkers.length === 1 ? 'Checker from the stock' : 'Checkers from the stock'}>
      <ul ref={codes} tabIndex={-1} className="divide-y divide-line outline-none">
        {checkers.map((code) => (
          <li key={code._id} className="flex flex-wrap items-center justify-between gap-2 px-4 py-2">
            <span className="tabular min-w-0">
              {code.name} ••••{code.serialEnd}
              {code.fault && <span className="block text-small break-words text-muted">Faulty: {code.fault}</span>}
            </span>
            {code.fault ? (
              <StateChip tone="danger">Replaced</StateChip>
            ) : mayReplace(code) ? (
              <Button variant="secondary" size="compact" onClick={() => setAsking({ act: 'replace', id: code._id })}>
                Replace…
              </Button>
            ) : (
              <StateChip tone="pending">Replacement</StateChip>
            )}
          </li>
        ))}
      </ul>
      {open && (
        <div className="border-t border-line px-4 py-3">
          <CheckerCodes checkers={open} />
        </div>
      )}
      <div className="flex flex-col gap-2 border-t border-line px-4 py-3">
        {problem && <NoticeBox tone="danger">{problem}</NoticeBox>}
        {asking ? (
          <form
            className="flex flex-col gap-2"
            onSubmit={(event) => {
              event.preventDefault()
              void confirm(asking)
            }}
          >
            <Field
              label={asking.act === 'reveal' ? 'Why do you look at the PIN?' : 'What is wrong with it?'}
              hint={asking.act === 'reveal' ? 'It is recorded with your name.' : 'The buyer gets another one at our cost, once.'}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              autoFocus
            />
            <div className="flex gap-2">
              <Button variant="secondary" className="flex-1" disabled={busy} onClick={close}>
                Cancel
              </Button>
              <Button type="submit" className="flex-1" busy={busy} disabled={reason.trim().length < 3}>
                {asking.act === 'reveal' ? 'Show the PIN' : 'Replace it'}
              </Button>
            </div>
          </form>
        ) : (
          <div className="flex gap-2">
            <Button variant="secondary" className="flex-1" busy={busy} onClick={() => void send()}>
              Send by SMS again
            </Button>
            {open ? (
              <Button variant="secondary" className="flex-1" onClick={() => setOpen(null)}>
                Hide
              </Button>
            ) : (
              <Button variant="secondary" className="flex-1" onClick={() => setAsking({ act: 'reveal' })}>
                Show the PIN…
              </Button>
            )}
          </div>
        )}
      </div>
    </Card>
  )
}
