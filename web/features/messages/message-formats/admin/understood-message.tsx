import type { Understood } from '../../../../../shared/message-format-endpoints.ts'
import { Money } from '../../../../ui/money.tsx'
import { KIND_WORDS } from './format-words.ts'

/** What the shop understands of one message, part by part, and what a person would still have to look at. */
export function UnderstoodMessage({ reading }: { reading: Understood }) {
  const { kind, format, network, amount, fee, balance, transactionId, payer, phone, reference, says, doubts } = reading
  const parts = [
    ['Amount', amount !== null && <Money cedis={amount} />],
    ['Fee', fee > 0 && <Money cedis={fee} />],
    ['From', payer],
    ['Number', phone],
    ['Reference', reference],
    ['Transaction ID', transactionId],
    ['Balance after it', balance !== null && <Money cedis={balance} />],
  ] as const
  return (
    <div className="flex flex-col gap-1 text-body">
      <p className="font-semibold">
        {KIND_WORDS[kind]}
        {network && <span className="font-normal text-muted"> · {network}</span>}
        <span className="font-normal text-muted"> · {format === null ? 'no form knows it' : `read as “${format}”`}</span>
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-0.5 text-small">
        {parts.map(
          ([label, value]) =>
            value && (
              <div key={label} className="contents">
                <dt className="text-muted">{label}</dt>
                <dd className="min-w-0 break-words">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {says && <p className="text-small text-muted">{says}</p>}
      {doubts.map((doubt) => (
        <p key={doubt} className="text-small text-pending">
          {doubt}
        </p>
      ))}
    </div>
  )
}
