import { useQuery } from '@tanstack/react-query'
import { CircleHelp, Clock, Search, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { Match, Matches, ReadReply, ReceivedPayment } from '../../../../../shared/received-payments.ts'
import { waitingFor } from '../../../../lib/admin/waiting-for.ts'
import { messageOf } from '../../../../lib/http.ts'
import { useNow } from '../../../../lib/use-now.ts'
import { ActBar } from '../../../../ui/admin/act-bar.tsx'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { matchesQuery } from './api.ts'
import { approveTogether, sumOf } from './approve-together.ts'
import { CertainMatches } from './certain-matches.tsx'
import { DoubtfulMatch } from './doubtful-match.tsx'
import { FindCustomerDialog } from './find-customer-dialog.tsx'
import { NotCounted } from './not-counted.tsx'
import { PasteMessages } from './paste-messages.tsx'
import { QuestionedPayment } from './questioned-payment.tsx'
import { ReceivedPayments } from './received-payments.tsx'
import { UnmatchedPayment } from './unmatched-payment.tsx'
import { useApproveKey } from './use-approve-key.ts'

/** Mobile money that came in, beside the requests that it is for. */
export function MatchTab() {
  const { data, error, refetch } = useQuery(matchesQuery)
  const [reading, setReading] = useState<ReadReply | null>(null)
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(15rem,19rem)_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-4">
        <PasteMessages reading={reading} onRead={setReading} />
        <div className="hidden lg:contents">
          <NotCountedHere reading={reading} />
        </div>
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        {data && <RefreshProblem error={error} onRetry={() => void refetch()} />}
        {error && !data && <LoadError what="The payments" error={error} onRetry={() => void refetch()} />}
        {!error && !data && (
          <Loading>
            <Skeleton className="h-72" />
          </Loading>
        )}
        {data && <Groups matches={data} reading={reading} />}
      </div>
    </div>
  )
}

function NotCountedHere({ reading }: { reading: ReadReply | null }) {
  return reading && reading.notCounted.length > 0 ? <NotCounted messages={reading.notCounted} /> : null
}

function Groups({ matches, reading }: { matches: Matches; reading: ReadReply | null }) {
  const { certain, doubtful, unmatched, kept, questioned, requests } = matches
  // Beside the lists: a payment that somebody else settles leaves its list, and the dialog says so.
  const [finding, setFinding] = useState<ReceivedPayment | null>(null)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<readonly string[]>([])
  const chosen = certain.filter(({ payment }) => !left.has(payment._id))

  const approve = async (list: readonly Match[]) => {
    setBusy(true)
    try {
      setRefused((await approveTogether(list)) ?? [])
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const choose = ({ payment }: Match, yes: boolean) => {
    const others = [...left].filter((id) => id !== payment._id)
    setLeft(new Set(yes ? others : [...others, payment._id]))
  }
  useApproveKey(chosen.length > 0 && !busy ? () => void approve(chosen) : null)
  const isEmpty = certain.length + doubtful.length + unmatched.length + questioned.length === 0

  return (
    <>
      {refused.length > 0 && (
        <NoticeBox tone="danger" title={refused.length === 1 ? 'One was not approved' : `${refused.length} were not approved`}>
          {refused.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </NoticeBox>
      )}
      {questioned.length > 0 && (
        <Group label="In question" tone="danger" icon={<CircleHelp aria-hidden="true" />} count={questioned.length}>
          {questioned.map((one) => (
            <QuestionedPayment key={one.payment._id} questioned={one} />
          ))}
        </Group>
      )}
      {certain.length > 0 && (
        <CertainMatches
          matches={certain}
          chosen={chosen}
          busy={busy}
          onChoose={choose}
          onChooseAll={(yes) => setLeft(new Set(yes ? [] : certain.map(({ payment }) => payment._id)))}
          onApprove={(match) => void approve([match])}
        />
      )}
      {doubtful.length > 0 && (
        <Group label="Doubtful" tone="pending" icon={<Clock aria-hidden="true" />} count={doubtful.length}>
          {doubtful.map((match) => (
            <DoubtfulMatch key={match.payment._id} match={match} />
          ))}
        </Group>
      )}
      {unmatched.length > 0 && (
        <Group label="Unmatched" icon={<Search aria-hidden="true" />} count={unmatched.length}>
          {unmatched.map((match) => (
            <UnmatchedPayment key={match.payment._id} match={match} onFind={setFinding} />
          ))}
        </Group>
      )}
      {isEmpty && <Empty requests={requests} />}
      <div className="lg:hidden">
        <NotCountedHere reading={reading} />
      </div>
      {kept.length > 0 && (
        <Folded title={`Kept for later ${kept.length}`}>
          <Card label="Kept for later" className="divide-y divide-line">
            {kept.map((match) => (
              <UnmatchedPayment key={match.payment._id} match={match} kept onFind={setFinding} />
            ))}
          </Card>
        </Folded>
      )}
      {finding && <FindCustomerDialog payment={finding} onClose={() => setFinding(null)} />}
      <Folded title="All received payments">
        <ReceivedPayments />
      </Folded>
      <NextAct chosen={chosen} certain={certain.length} busy={busy} requests={requests} onApprove={() => void approve(chosen)} />
    </>
  )
}

type GroupProps = { label: string; tone?: 'pending' | 'danger'; icon: ReactNode; count: number; children: ReactNode }

function Group({ label, tone, icon, count, children }: GroupProps) {
  return (
    <Card
      label={label}
      title={
        <StateChip {...(tone ? { tone } : {})} icon={icon}>
          {label}
        </StateChip>
      }
      state={<span className="tabular text-small text-muted">{count}</span>}
    >
      <div className="divide-y divide-line">{children}</div>
    </Card>
  )
}

/** What is behind it is read once it is opened. */
function Folded({ title, children }: { title: string; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold text-brand-text">{title}</summary>
      {open && <div className="pt-2">{children}</div>}
    </details>
  )
}

function Empty({ requests }: { requests: Matches['requests'] }) {
  return (
    <div className="flex flex-col items-start gap-1 rounded-box border border-dashed border-line px-4 py-6">
      <p className="text-large font-semibold">No payments to match</p>
      <p className="text-muted">Copy the payment SMS from your phone and paste them here. We find the request that each one is for.</p>
      <WaitingRequests requests={requests} />
    </div>
  )
}

function WaitingRequests({ requests: { count, amount } }: { requests: Matches['requests'] }) {
  if (count === 0) return null
  return (
    <Link
      href="/admin/finance?status=pending"
      className="flex min-h-11 items-center gap-1 font-semibold text-brand-text underline underline-offset-4"
    >
      <TriangleAlert className="size-4" aria-hidden="true" />
      {count === 1 ? '1 request waits' : `${count} requests wait`}, {moneyText(amount)}
    </Link>
  )
}

type NextProps = { chosen: readonly Match[]; certain: number; busy: boolean; requests: Matches['requests']; onApprove: () => void }

function NextAct({ chosen, certain, busy, requests, onApprove }: NextProps) {
  const now = useNow()
  const oldest = requests.oldestAt && `oldest: ${waitingFor(requests.oldestAt, now)}`
  if (certain === 0) return null
  return (
    <ActBar note={`${certain} certain`} detail={oldest}>
      <Button
        size="large"
        busy={busy}
        disabled={chosen.length === 0}
        stub={<Money cedis={sumOf(chosen)} />}
        className="whitespace-nowrap"
        onClick={onApprove}
      >
        Approve {chosen.length}
      </Button>
    </ActBar>
  )
}
