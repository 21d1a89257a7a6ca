import { useQuery } from '@tanstack/react-query'
import { Check, Printer } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime } from '../../../../../shared/dates.ts'
import type { WholeClose } from '../../../../../shared/day-close.ts'
import { ActBar } from '../../../../ui/admin/act-bar.tsx'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import { useScreenTitle } from '../../../../ui/admin/screen-title.ts'
import { Button, ButtonLink } from '../../../../ui/button.tsx'
import { CsvButton } from '../../../../ui/csv-button.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { signedCloseQuery } from './api.ts'
import { CorrectDialog } from './correct-dialog.tsx'
import { dayName, rangeWords } from './day-close-words.ts'
import { EarnedCard, NetworksCard, WalletsCard } from './networks-card.tsx'

/** A close as it was signed. It never changes; a mistake is corrected by a further one. */
export function SignedClosePage({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(signedCloseQuery(id))
  const close = data?.close
  useScreenTitle({
    title: close ? `${dayName(close)}, signed off` : 'Day close',
    subtitle: close ? rangeWords(close) : null,
    back: '/admin/day-close',
  })
  if (close) return <Signed close={close} />
  if (error) return <LoadError what="This close" error={error} onRetry={() => void refetch()} />
  return (
    <Loading label="Loading the close…">
      <Skeleton className="h-96" />
    </Loading>
  )
}

function Signed({ close }: { close: WholeClose }) {
  const [correcting, setCorrecting] = useState(false)
  return (
    <div className="flex flex-col gap-4">
      <h2 className="hidden text-title font-bold print:block">
        {dayName(close)}, {rangeWords(close)}
      </h2>
      {close.correctedBy !== null && (
        <NoticeBox tone="pending">
          This close was corrected later.{' '}
          <a className="font-semibold underline" href={`/admin/day-close/${close.correctedBy}`}>
            Open the correction
          </a>
        </NoticeBox>
      )}
      {close.corrects !== null && <NoticeBox>Corrects an earlier close: {close.note}</NoticeBox>}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <WalletsCard sheet={close.sheet} />
          <EarnedCard sheet={close.sheet} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Card
            title="Counted"
            state={
              <StateChip tone="done" icon={<Check aria-hidden="true" />}>
                Signed off
              </StateChip>
            }
          >
            {close.counted.length === 0 && <p className="px-4 py-3 text-muted">Nothing was counted.</p>}
            <ul className="divide-y divide-line">
              {close.counted.map(({ key, name, expected, moved, counted, note, parts }) => {
                const difference = expected === null ? 0 : Math.round((counted - expected) * 100) / 100
                return (
                  <li key={key} className="px-4 py-3">
                    <div className="flex items-baseline justify-between gap-3">
                      <b className="font-semibold">{name}</b>
                      <Money cedis={counted} />
                    </div>
                    {parts.map((part) => (
                      <p key={part.key} className="flex justify-between gap-3 text-small text-muted">
                        {part.name}
                        <Money cedis={part.counted} />
                      </p>
                    ))}
                    {moved !== 0 && (
                      <p className="text-small text-muted">
                        {moved > 0 ? 'Paid in' : 'Taken out'} by the owner: {moneyText(Math.abs(moved))}
                      </p>
                    )}
                    {difference !== 0 && (
                      <p className="tabular text-small text-pending">
                        {difference > 0 ? '+' : '−'}
                        {moneyText(Math.abs(difference))} against {moneyText(expected ?? 0)}: {note}
                      </p>
                    )}
                  </li>
                )
              })}
            </ul>
            <p className="border-t border-line px-4 py-3 text-small text-muted">
              Signed by {close.signedBy}, {formatDateTime(new Date(close.signedAt))}
            </p>
          </Card>
          <NetworksCard sheet={close.sheet} />
        </div>
      </div>
      <ActBar note="Signed off" detail={`by ${close.signedBy}`}>
        {close.correctedBy === null && (
          <Button variant="secondary" onClick={() => setCorrecting(true)}>
            Correct
          </Button>
        )}
        <Button
          variant="secondary"
          className="max-lg:hidden"
          icon={<Printer className="size-4.5" aria-hidden="true" />}
          onClick={() => window.print()}
        >
          Print
        </Button>
        <span className="max-lg:hidden">
          <CsvButton file="day-close" filters={{ id: close._id }} />
        </span>
        <ButtonLink href="/admin/inbox">Inbox</ButtonLink>
      </ActBar>
      {correcting && <CorrectDialog close={close} onClose={() => setCorrecting(false)} />}
    </div>
  )
}
