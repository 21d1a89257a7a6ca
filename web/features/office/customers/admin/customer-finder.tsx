import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRight, Search } from 'lucide-react'
import { Link } from 'wouter'
import type { CustomerLine } from '../../../../../shared/customers.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { useDebounced } from '../../../../lib/use-debounced.ts'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { controlClass } from '../../../../ui/field.tsx'
import { Money } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { customersQuery } from './api.ts'

type Props = {
  search: string
  onSearch: (search: string) => void
  /** The customer who is open. */
  current: string
  /** On a phone the list gives way to the customer. */
  inputOnly?: boolean
  onChosen?: () => void
}

/** Finds customers by anything that people say on the phone. */
export function CustomerFinder({ search, onSearch, current, inputOnly, onChosen }: Props) {
  const wanted = useDebounced(search.trim(), 200)
  const input = (
    <label className="relative block">
      <span className="sr-only">Find a customer</span>
      <Search className="pointer-events-none absolute top-1/2 left-3 size-5 -translate-y-1/2 text-muted" aria-hidden="true" />
      <input
        type="search"
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
        placeholder="024…, +233…, name, order"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        className={classNames(controlClass, 'pl-10! text-body! max-lg:text-large!')}
      />
    </label>
  )
  if (inputOnly) return input
  return (
    <section aria-label="Customers" className="flex flex-col gap-3">
      {input}
      <Found wanted={wanted} current={current} onChosen={onChosen} />
    </section>
  )
}

type FoundProps = { wanted: string; current: string; onChosen: (() => void) | undefined }

function Found({ wanted, current, onChosen }: FoundProps) {
  const query = useInfiniteQuery({ ...customersQuery(wanted), placeholderData: keepPreviousData })
  const { data, error, refetch, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  if (error && !data) return <LoadError what="The customers" error={error} onRetry={() => void refetch()} />
  if (!data) return <Waiting />
  const customers = data.pages.flatMap((page) => page.customers)
  const total = data.pages[0]?.total
  return (
    <div
      className={classNames('overflow-hidden rounded-box border border-line bg-surface', isPlaceholderData && 'opacity-60')}
      aria-busy={isPlaceholderData}
    >
      <p role="status" className="sr-only">
        {wanted !== '' && !isPlaceholderData && `${customers.length} found`}
      </p>
      <ul className="divide-y divide-line xl:max-h-[calc(100dvh-18rem)] xl:overflow-y-auto">
        {customers.map((customer) => (
          <li key={customer._id}>
            <Line customer={customer} isCurrent={customer._id === current} onChosen={onChosen} />
          </li>
        ))}
      </ul>
      {customers.length === 0 && (
        <p className="px-4 py-8 text-center text-body">
          {wanted === '' ? 'Customers appear here once they register.' : `Nobody matches “${wanted}”.`}
        </p>
      )}
      {hasNextPage && (
        <div className="border-t border-line p-2">
          <Button variant="quiet" block busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
      <p className="border-t border-line px-4 py-3 text-small text-muted">
        Finds 024…, +233…, a name, an order, a reference, a top-up or who it was for.
      </p>
      {total != null && (
        <Link
          href="/admin/customers/all"
          className="flex min-h-12 items-center justify-between gap-2 border-t border-line px-4 font-semibold hover:bg-sunken"
        >
          All {total.toLocaleString('en')} users
          <ChevronRight className="size-4" aria-hidden="true" />
        </Link>
      )}
    </div>
  )
}

function Line({ customer, isCurrent, onChosen }: { customer: CustomerLine; isCurrent: boolean; onChosen: (() => void) | undefined }) {
  const { _id, username, phone, userLevel, status, balance, found } = customer
  return (
    <Link
      href={`/admin/customers/${_id}`}
      aria-current={isCurrent ? 'true' : undefined}
      data-row={_id}
      onClick={onChosen}
      className={classNames(
        'flex min-h-16 flex-wrap items-center gap-x-3 px-4 py-2.5',
        isCurrent ? 'bg-brand-soft shadow-[inset_3px_0_0_var(--brand)]' : 'hover:bg-sunken',
      )}
    >
      <span className="min-w-0 grow basis-[8rem]">
        <span className="block font-semibold break-words">{username}</span>
        <span className="tabular block text-small break-words text-muted">
          {userLevel} · {spacedPhone(phone)}
          {status === 'Banned' && <b className="text-danger"> · Banned</b>}
        </span>
        {found && <span className="block truncate text-small font-medium text-brand-text">{found}</span>}
      </span>
      {balance !== null && <Money cedis={balance} className="ml-auto" />}
    </Link>
  )
}

function Waiting() {
  return (
    <Loading label="Loading the customers">
      <div className="flex flex-col gap-px">
        {[1, 2, 3, 4, 5].map((line) => (
          <Skeleton key={line} className="h-16" />
        ))}
      </div>
    </Loading>
  )
}
