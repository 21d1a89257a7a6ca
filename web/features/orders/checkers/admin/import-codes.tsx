import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { CheckerImport, ImportedChecker } from '../../../../../shared/checkers.ts'
import { call, callList } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { StateChip } from '../../../../ui/admin/card.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Field } from '../../../../ui/field.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { refreshStock } from './api.ts'

type Props = { made: CheckerImport; name: string; onClose: () => void }
const SHOWN = 50

/** The codes of one import, masked. One that is faulty and not sold is voided here, with a reason. */
export default function ImportCodes({ made, name, onClose }: Props) {
  const [search, setSearch] = useState('')
  const { data, error, refetch } = useQuery({
    queryKey: ['checker-stock', 'codes', made._id, search],
    queryFn: ({ signal }) =>
      callList('GET /admin/checkers/imports/:id/codes', {
        params: { id: made._id },
        query: { page: 1, pageSize: SHOWN, ...(search && { search }) },
        signal,
      }),
    placeholderData: (before) => before,
  })
  const [asking, setAsking] = useState<ImportedChecker | null>(null)
  const list = useRef<HTMLUListElement>(null)
  /** The form with the focus in it goes. */
  const close = () => {
    setAsking(null)
    list.current?.focus()
  }
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  const voidIt = async (code: ImportedChecker) => {
    setBusy(true)
    setProblem(null)
    try {
      toast.success((await call('POST /admin/checker-codes/:code/void', { params: { code: code._id }, body: { reason } })).message)
      close()
      setReason('')
    } catch (failed) {
      setProblem(messageOf(failed))
    } finally {
      setBusy(false)
      refreshStock()
    }
  }

  return (
    <Dialog title={`Codes of import ${made.number}`} onClose={onClose} dismissable={!busy}>
      <div className="flex flex-col gap-3">
        <Field
          label="Last four of the serial"
          hint="To find one code. We keep only these four readable."
          value={search}
          inputMode="text"
          maxLength={40}
          onChange={(event) => setSearch(event.currentTarget.value.trim())}
        />
        {error && !data ? (
          <LoadError what="The codes" error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Loading label="Loading the codes…">
            <Skeleton className="h-40" />
          </Loading>
        ) : data.rows.length === 0 ? (
          <p className="text-muted">No code of this import ends so.</p>
        ) : (
          <ul ref={list} tabIndex={-1} className="divide-y divide-line rounded-box border border-line outline-none">
            {data.rows.map((code) => (
              <li key={code._id} className="flex flex-wrap items-center justify-between gap-2 px-4 py-2">
                <span className="tabular min-w-0">
                  {name} ••••{code.serialEnd}
                  {code.reason && (
                    <span className="block text-small break-words text-muted">
                      {code.reason}
                      {code.by && `, ${code.by}`}
                    </span>
                  )}
                </span>
                {code.state === 'in-stock' && asking?._id !== code._id && (
                  <Button
                    variant="secondary"
                    size="compact"
                    aria-label={`Void the code that ends in ${code.serialEnd}`}
                    onClick={() => {
                      setAsking(code)
                      setProblem(null)
                    }}
                  >
                    Void…
                  </Button>
                )}
                {code.state === 'sold' && <StateChip>Order {code.order}</StateChip>}
                {code.state === 'voided' && <StateChip tone="danger">Voided</StateChip>}
                {code.state === 'taken-back' && <StateChip>Taken back</StateChip>}
                {asking?._id === code._id && (
                  <form
                    className="flex w-full flex-col gap-2"
                    onSubmit={(event) => {
                      event.preventDefault()
                      void voidIt(code)
                    }}
                  >
                    <Field
                      label="What is wrong with it?"
                      hint="It leaves the stock for good, and what it cost is booked as a loss."
                      value={reason}
                      onChange={(event) => setReason(event.currentTarget.value)}
                      autoFocus
                    />
                    {problem && <NoticeBox tone="danger">{problem}</NoticeBox>}
                    <div className="flex gap-2">
                      <Button variant="secondary" className="flex-1" disabled={busy} onClick={close}>
                        Cancel
                      </Button>
                      <Button type="submit" variant="danger" className="flex-1" busy={busy} disabled={reason.trim().length < 3}>
                        Void it
                      </Button>
                    </div>
                  </form>
                )}
              </li>
            ))}
          </ul>
        )}
        {data && data.total > data.rows.length && (
          <p className="text-small text-muted">
            The first {data.rows.length} of {data.total.toLocaleString('en')}. Type the end of a serial to find another.
          </p>
        )}
      </div>
    </Dialog>
  )
}
