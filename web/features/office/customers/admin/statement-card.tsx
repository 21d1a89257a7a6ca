import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Movement } from '../../../../../shared/wallet.ts'
import { downloadCsv } from '../../../../lib/download-csv.ts'
import { messageOf } from '../../../../lib/http.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { Money } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { movementsQuery } from './api.ts'
import { dayWords, momentWords } from './moment-words.ts'
import { foldOrders, movementWords } from './movement-words.ts'

/** Every movement of the wallet, each with the balance after it; the orders of a day in one line. */
export function StatementCard({ customerId }: { customerId: string }) {
  const query = useInfiniteQuery(movementsQuery(customerId))
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const lines = data?.pages.flatMap((page) => page.lines) ?? []
  return (
    <Card title="Statement" state={<SaveCsv customerId={customerId} />}>
      {error && !data && <LoadError what="The statement" error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Loading label="Loading the statement">
          <Skeleton className="h-80" />
        </Loading>
      )}
      {data && lines.length === 0 && (
        <p className="px-4 py-8 text-center text-body text-muted">
          Nothing yet. Top-ups, orders and credits appear here with the balance after each.
        </p>
      )}
      <ul className="divide-y divide-line">
        {foldOrders(lines).map((folded) => (
          <Line key={folded[0]?.id} lines={folded} />
        ))}
      </ul>
      {hasNextPage && (
        <div className="border-t border-line p-2">
          <Button variant="quiet" block busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </Card>
  )
}

function Line({ lines }: { lines: Movement[] }) {
  const [newest] = lines
  if (!newest) return null
  if (lines.length === 1) return <li className="px-4 py-2.5">{<One line={newest} />}</li>
  const sum = Math.round(lines.reduce((total, { amount }) => total + amount, 0) * 100) / 100
  const oldest = lines.at(-1) as Movement
  return (
    <li>
      <details className="group">
        <summary className="flex cursor-pointer list-none items-start justify-between gap-3 px-4 py-2.5 hover:bg-sunken">
          <What words={`${lines.length} orders`} at={spanOf(oldest, newest)} />
          <HowMuch amount={sum} balance={newest.balance} />
        </summary>
        <ul className="divide-y divide-line border-t border-line bg-sunken">
          {lines.map((line) => (
            <li key={line.id} className="py-2 pr-4 pl-6">
              <One line={line} />
            </li>
          ))}
        </ul>
      </details>
    </li>
  )
}

function One({ line }: { line: Movement }) {
  const words = movementWords(line)
  return (
    <div className="flex items-start justify-between gap-3">
      <What
        words={
          line.orderId ? (
            <Link href={`/admin/orders/${line.orderId}`} className="underline-offset-4 hover:underline">
              {words}
            </Link>
          ) : (
            words
          )
        }
        at={momentWords(line.createdAt)}
      />
      <HowMuch amount={line.amount} balance={line.balance} />
    </div>
  )
}

function What({ words, at }: { words: React.ReactNode; at: string }) {
  return (
    <span className="min-w-0">
      <span className="block text-body break-words">{words}</span>
      <span className="tabular block text-small text-muted">{at}</span>
    </span>
  )
}

function HowMuch({ amount, balance }: { amount: number; balance: number }) {
  return (
    <span className="shrink-0 text-right">
      <Money cedis={amount} signed className={classNames('block text-body', amount > 0 && 'text-done')} />
      <Money cedis={balance} className="block text-small text-muted [&_*]:font-normal" />
    </span>
  )
}

/** "21 Nov, 8:02am to 4:40pm". */
function spanOf(oldest: Movement, newest: Movement): string {
  const [from, to] = [momentWords(oldest.createdAt), momentWords(newest.createdAt)]
  return from === to ? from : `${from} to ${to.slice(dayWords(newest.createdAt).length + 2)}`
}

function SaveCsv({ customerId }: { customerId: string }) {
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      toast.success(`Saved as ${await downloadCsv('customer-statement', { customer: customerId })}`)
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="quiet" busy={busy} icon={<Download className="size-4.5" aria-hidden="true" />} onClick={() => void save()}>
      CSV
    </Button>
  )
}
