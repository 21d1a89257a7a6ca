import { ChevronRight, CircleCheck } from 'lucide-react'
import type { Match } from '../../../../../shared/received-payments.ts'
import { useMediaQuery } from '../../../../lib/use-media-query.ts'
import { Card, StateChip } from '../../../../ui/admin/card.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { sumOf } from './approve-together.ts'
import { agreementOf, transactionOf } from './payment-words.ts'

/** There the table has room for all its columns. */
const ROOMY = '(min-width: 64rem)'
const FIRST = 4

type Props = {
  matches: readonly Match[]
  chosen: readonly Match[]
  busy: boolean
  onChoose: (match: Match, chosen: boolean) => void
  onChooseAll: (chosen: boolean) => void
  onApprove: (match: Match) => void
}

/** Payments whose request is certain: all are chosen until somebody leaves one out. */
export function CertainMatches(props: Props) {
  const roomy = useMediaQuery(ROOMY)
  const { matches, chosen } = props
  return (
    <Card
      label="Certain"
      title={
        <StateChip tone="done" icon={<CircleCheck aria-hidden="true" />}>
          Certain
        </StateChip>
      }
      state={
        <span className="tabular text-small text-muted">
          {chosen.length} of {matches.length} · <Money cedis={sumOf(chosen)} className="text-body text-ink" />
        </span>
      }
    >
      {roomy ? <MatchTable {...props} /> : <MatchRows {...props} />}
    </Card>
  )
}

const HEADS = ['Username', 'Reference', 'Amount', 'Payment', 'Agrees in', 'Actions']

function MatchTable({ matches, chosen, busy, onChoose, onChooseAll, onApprove }: Props) {
  return (
    <div className="relative overflow-x-auto">
      <table className="w-full text-left">
        <thead>
          <tr className="border-b border-line text-small text-muted">
            <th className="w-10 py-2 pl-4">
              <Box label="All" checked={chosen.length === matches.length} onChecked={onChooseAll} />
            </th>
            {HEADS.map((head) => (
              <th
                key={head}
                className={head === 'Amount' || head === 'Actions' ? 'px-3 py-2 text-right font-semibold' : 'px-3 py-2 font-semibold'}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {matches.map((match) => (
            <tr key={match.payment._id}>
              <td className="py-1.5 pl-4">
                <Box label={labelOf(match)} checked={chosen.includes(match)} onChecked={(yes) => onChoose(match, yes)} />
              </td>
              <td className="px-3 py-1.5 font-semibold break-words">{match.request?.user.username}</td>
              <td className="tabular px-3 py-1.5">{match.request?.rechargeId}</td>
              <td className="px-3 py-1.5 text-right">
                <Money cedis={match.payment.amount} />
              </td>
              <td className="tabular px-3 py-1.5 text-small whitespace-nowrap text-muted" title={match.payment.raw}>
                {transactionOf(match.payment)}
              </td>
              <td className="px-3 py-1.5 text-small text-done">{match.agrees.join(', ')}</td>
              <td className="py-1.5 pr-4 pl-3 text-right">
                <Button
                  variant="secondary"
                  size="compact"
                  disabled={busy}
                  onClick={() => onApprove(match)}
                  title={`Approve ${labelOf(match)}`}
                >
                  Approve
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function MatchRows({ matches, chosen, onChoose }: Props) {
  const [shown, hidden] = [matches.slice(0, FIRST), matches.slice(FIRST)]
  const rows = (list: readonly Match[]) =>
    list.map((match) => (
      // biome-ignore lint/a11y/noLabelWithoutControl: the box inside is a component.
      <label key={match.payment._id} className="flex min-h-16 items-start gap-2 px-4 py-2.5">
        <Box label={labelOf(match)} checked={chosen.includes(match)} onChecked={(yes) => onChoose(match, yes)} />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="min-w-0 font-semibold break-words">{match.request?.user.username}</span>
            <Money cedis={match.payment.amount} />
          </span>
          <span className="tabular block text-small break-words text-muted">
            <span className="text-done">{agreementOf(match)}</span> · {match.request?.rechargeId}
          </span>
        </span>
      </label>
    ))
  return (
    <div className="divide-y divide-line">
      {rows(shown)}
      {hidden.length > 0 && (
        <details className="group">
          <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between px-4 text-small font-semibold">
            {hidden.length} more, {moneyText(sumOf(hidden))}
            <ChevronRight className="size-4 transition-transform group-open:rotate-90" aria-hidden="true" />
          </summary>
          <div className="divide-y divide-line border-t border-line">{rows(hidden)}</div>
        </details>
      )}
    </div>
  )
}

function Box({ label, checked, onChecked }: { label: string; checked: boolean; onChecked: (checked: boolean) => void }) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={checked}
      onChange={(event) => onChecked(event.currentTarget.checked)}
      className="mt-0.5 size-5 shrink-0 accent-brand"
    />
  )
}

function labelOf({ request, payment }: Match): string {
  return `${request?.user.username}, ${moneyText(payment.amount)}`
}
