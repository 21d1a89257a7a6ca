import { Search, X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { DEFAULT_PAGE_SIZE, PAGE_SIZES, type PageSize } from '../../shared/limits.ts'
import { useMediaQuery } from '../lib/use-media-query.ts'
import { listTexts } from '../texts/lists.ts'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { controlClass, SelectControl } from './field.tsx'
import { Pagination } from './pagination.tsx'
import { Loading, Skeleton } from './skeleton.tsx'

export type Column<Row> = {
  key: string
  header: string
  /** Replaces the column's title in the head, for example with a box that selects all. */
  headerCell?: ReactNode
  cell: (row: Row) => ReactNode
  align?: 'right'
  /** Stays in view at the right edge where the table is wider than the screen. */
  sticky?: boolean
  className?: string
}

export type TableState = { page: number; pageSize: PageSize; search: string }
export const FIRST_PAGE: TableState = { page: 1, pageSize: DEFAULT_PAGE_SIZE, search: '' }

type Props<Row> = {
  /** The table's name for those who cannot see it. */
  caption: string
  columns: readonly Column<Row>[]
  /** The rows of this page; undefined while they are loaded for the first time. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => string
  /** How many records match in all, or, with `more`, at least. */
  total: number
  more?: boolean | undefined
  state: TableState
  onState: (state: TableState) => void
  /** What a row looks like on a phone; without it the row is a list of names and values. */
  card?: (row: Row) => ReactNode
  /** The card has a frame of its own, such as a ticket's edge. */
  bareCards?: boolean
  empty: ReactNode
  searchLabel?: string
  /** True while new rows are loading and these are still the old ones. */
  stale?: boolean
  filters?: ReactNode
  actions?: ReactNode
  /** Marks a row by class names, like one that has just changed. */
  rowClass?: (row: Row) => string | undefined
  /** The least width, as a media query, at which the columns stand side by side; narrower than that rows are cards. */
  wideFrom?: string
  /** Less room between columns, for tables that have many; `tight` below 1600 px for those that would not fit a laptop. */
  dense?: boolean | 'tight'
  /** True when the rows can be focused one by one; each carries its key as `data-row`. */
  focusableRows?: boolean
}

/** A table with search, page size and pages, which becomes a list of cards on a phone. */
export function DataTable<Row>(props: Props<Row>) {
  const {
    caption,
    columns,
    rows,
    rowKey,
    total,
    more,
    state,
    onState,
    card,
    empty,
    searchLabel = listTexts.search,
    stale,
    filters,
    actions,
  } = props
  const { rowClass, wideFrom = '(min-width: 48rem)', focusableRows, dense, bareCards } = props
  const between = dense === 'tight' ? 'px-1.5 min-[100rem]:px-2' : 'px-2'
  const cellSpace = dense ? `${between} py-2 first:pl-4 last:pr-3` : 'px-3 py-2.5 first:pl-4 last:pr-4'
  const wide = useMediaQuery(wideFrom)
  const rowProps = (row: Row) => (focusableRows ? { tabIndex: -1, 'data-row': rowKey(row) } : {})
  const pageCount = Math.max(1, Math.ceil(total / state.pageSize))
  const searching = state.search.trim() !== ''
  const bare = rows !== undefined && rows.length === 0 && !searching && total === 0
  return (
    <section aria-label={caption} className="flex flex-col gap-4">
      {(!bare || filters || actions) && (
        <div className="flex flex-wrap items-end gap-3">
          <SearchField label={searchLabel} value={state.search} onValue={(search) => onState({ ...state, search, page: 1 })} />
          {filters && <div className="flex flex-wrap gap-3 max-sm:order-1 max-sm:w-full">{filters}</div>}
          <PageSizeSelect value={state.pageSize} onValue={(pageSize) => onState({ ...state, pageSize, page: 1 })} />
          {actions && <div className="flex flex-wrap items-center gap-2 max-sm:order-2 sm:ml-auto">{actions}</div>}
        </div>
      )}
      {rows === undefined ? (
        <Loading label={`Loading ${caption}…`}>
          <div className="flex flex-col gap-2">
            {Array.from({ length: 5 }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike.
              <Skeleton key={index} className="h-24 md:h-12" />
            ))}
          </div>
        </Loading>
      ) : rows.length === 0 ? (
        searching ? (
          <p role="status" className="rounded-box border border-dashed border-line px-6 py-10 text-center text-muted">
            {listTexts.nothingMatches(state.search.trim())}
          </p>
        ) : (
          empty
        )
      ) : (
        <div aria-busy={stale || undefined} className={classNames('transition-opacity', stale && 'opacity-60')}>
          {wide ? (
            <div className="relative overflow-x-auto rounded-box border border-line bg-surface">
              <table className="w-full border-collapse text-left text-body">
                <caption className="sr-only">{caption}</caption>
                <thead>
                  <tr className="border-b border-line bg-sunken text-small text-muted">
                    {columns.map((column) => (
                      <th
                        key={column.key}
                        scope="col"
                        className={classNames(
                          cellSpace,
                          'font-semibold whitespace-nowrap',
                          column.align === 'right' && 'text-right',
                          column.sticky && 'sticky right-0 bg-sunken',
                        )}
                      >
                        {column.headerCell ?? column.header}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <tr
                      key={rowKey(row)}
                      {...rowProps(row)}
                      className={classNames(
                        'border-b border-line bg-surface outline-offset-[-2px] transition-colors last:border-0 hover:bg-paper',
                        rowClass?.(row),
                      )}
                    >
                      {columns.map((column) => (
                        <td
                          key={column.key}
                          className={classNames(
                            cellSpace,
                            'align-middle',
                            column.align === 'right' && 'text-right',
                            column.sticky && 'sticky right-0 bg-inherit',
                            column.className,
                          )}
                        >
                          {column.cell(row)}
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          ) : (
            <ul className={classNames('grid md:grid-cols-2', bareCards ? 'gap-2' : 'gap-3')}>
              {rows.map((row) => (
                <li
                  key={rowKey(row)}
                  {...rowProps(row)}
                  className={classNames(
                    'min-w-0 transition-colors',
                    !bareCards && 'rounded-box border border-line bg-surface p-4',
                    rowClass?.(row),
                  )}
                >
                  {card ? card(row) : <NamesAndValues columns={columns} row={row} />}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
      {!bare && rows && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <ShownCount rows={rows.length} total={total} more={more} state={state} />
          <Pagination
            page={Math.min(state.page, pageCount)}
            pageCount={pageCount}
            onPage={(page) => onState({ ...state, page })}
            label={`Pages of ${caption}`}
          />
        </div>
      )}
    </section>
  )
}

function ShownCount({ rows, total, more, state }: Pick<Props<never>, 'total' | 'more' | 'state'> & { rows: number }) {
  const first = (state.page - 1) * state.pageSize + 1
  return (
    <p role="status" className="tabular text-small text-muted">
      {listTexts.showing(rows, total, more)}
      {rows > 0 && total > rows && ` (${first} to ${first + rows - 1})`}
    </p>
  )
}

function SearchField({ label, value, onValue }: { label: string; value: string; onValue: (text: string) => void }) {
  const id = useId()
  return (
    <div className="relative min-w-0 flex-1 basis-44 sm:max-w-xs sm:basis-52">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search aria-hidden="true" className="pointer-events-none absolute top-1/2 left-3 size-4.5 -translate-y-1/2 text-muted" />
      <input
        id={id}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={100}
        placeholder={listTexts.search}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value)}
        className={classNames(controlClass, 'min-h-11! pr-10 pl-10 text-body! max-lg:text-large!')}
      />
      {value && (
        <IconButton label={listTexts.clearSearch} onClick={() => onValue('')} className="absolute inset-y-0 right-0 h-full! w-10!">
          <X className="size-4" aria-hidden="true" />
        </IconButton>
      )}
    </div>
  )
}

function PageSizeSelect({ value, onValue }: { value: PageSize; onValue: (size: PageSize) => void }) {
  const id = useId()
  return (
    <div className="flex items-center gap-2 text-small text-muted">
      <label htmlFor={id}>{listTexts.show}</label>
      <SelectControl
        id={id}
        aria-label={listTexts.perPage}
        value={value}
        onChange={(event) => onValue(Number(event.currentTarget.value) as PageSize)}
        className={classNames(controlClass, 'min-h-11! w-20 text-body! max-lg:text-large!')}
      >
        {PAGE_SIZES.map((size) => (
          <option key={size} value={size}>
            {size}
          </option>
        ))}
      </SelectControl>
    </div>
  )
}

function NamesAndValues<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-body">
      {columns.map((column) => (
        <div key={column.key} className="contents">
          <dt className="text-small leading-[1.5rem] text-muted">{column.header}</dt>
          <dd className="min-w-0 text-right">{column.cell(row)}</dd>
        </div>
      ))}
    </dl>
  )
}
