import { ChevronLeft, ChevronRight } from 'lucide-react'
import { listTexts } from '../texts/lists.ts'
import { classNames } from './class-names.ts'

type Props = { page: number; pageCount: number; onPage: (page: number) => void; label?: string }

export function Pagination({ page, pageCount, onPage, label = listTexts.pages }: Props) {
  if (pageCount <= 1) return null
  const step =
    'inline-flex h-11 w-10 items-center sm:w-11 justify-center rounded-box text-muted hover:bg-sunken hover:text-ink disabled:opacity-40 disabled:hover:bg-transparent'
  return (
    <nav aria-label={label} className="flex items-center gap-0.5 sm:gap-1">
      <button type="button" className={step} aria-label={listTexts.previousPage} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft className="size-5" aria-hidden="true" />
      </button>
      {pageNumbers(page, pageCount).map((number, index) =>
        number === null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a gap has nothing else to be known by.
          <span key={`gap-${index}`} aria-hidden="true" className="w-3.5 text-center sm:w-5 text-muted">
            …
          </span>
        ) : (
          <button
            key={number}
            type="button"
            aria-label={listTexts.page(number)}
            aria-current={number === page ? 'page' : undefined}
            onClick={() => onPage(number)}
            className={classNames(
              'tabular inline-flex h-11 min-w-10 sm:min-w-11 items-center justify-center rounded-box px-2 text-body font-semibold',
              number === page ? 'bg-brand text-on-brand' : 'text-ink hover:bg-sunken',
            )}
          >
            {number}
          </button>
        ),
      )}
      <button type="button" className={step} aria-label={listTexts.nextPage} disabled={page >= pageCount} onClick={() => onPage(page + 1)}>
        <ChevronRight className="size-5" aria-hidden="true" />
      </button>
    </nav>
  )
}

/** The page numbers to show, null for a gap: the first, the last and three around the current one, at most seven. */
export function pageNumbers(page: number, pageCount: number): (number | null)[] {
  if (pageCount <= 5) return Array.from({ length: pageCount }, (_, index) => index + 1)
  const middle = Math.min(Math.max(page, 2), pageCount - 1)
  const near = [middle - 1, middle, middle + 1].filter((number) => number > 1 && number < pageCount)
  const numbers: (number | null)[] = [1]
  if ((near[0] ?? 2) > 2) numbers.push(null)
  numbers.push(...near)
  if ((near.at(-1) ?? 1) < pageCount - 1) numbers.push(null)
  numbers.push(pageCount)
  return numbers
}
