import type { ReactNode } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'

type Props<T> = {
  query: { error: Error | null; refetch: () => unknown; hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
  what: string
  rows: T[] | undefined
  empty: string
  children: (row: T) => ReactNode
}

/** A list that grows downwards, with what stands there while it is empty, loading or failing. */
export function PagedList<T>({ query, what, rows, empty, children }: Props<T>) {
  if (query.error && !rows) return <LoadError what={what} error={query.error} onRetry={() => void query.refetch()} />
  if (!rows)
    return (
      <Loading>
        <Skeleton className="h-40" />
      </Loading>
    )
  if (rows.length === 0) return <p className="py-6 text-center text-muted">{empty}</p>
  return (
    <>
      <ul className="divide-y divide-line">{rows.map(children)}</ul>
      {query.hasNextPage && (
        <Button variant="quiet" block busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show older
        </Button>
      )}
    </>
  )
}
