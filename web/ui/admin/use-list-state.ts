import { useEffect, useState } from 'react'
import { DEFAULT_PAGE_SIZE, PAGE_SIZES, type PageSize } from '../../../shared/limits.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { FIRST_PAGE, type TableState } from '../data-table.tsx'

/** A list's filters by their names on the server; '' means no filter. */
export type Filters = Record<string, string>

export type ListState<F extends Filters> = {
  table: TableState
  setTable: (table: TableState) => void
  filters: F
  setFilter: (name: keyof F & string, value: string) => void
  /** Sets several at once. */
  setFilters: (change: Partial<F>) => void
  clear: () => void
  /** What to ask the server for; the search follows once typing pauses. */
  query: Record<string, string | number>
  narrowed: boolean
}

/** A list's page, size, search and filters, kept in the address so that a reload or Back shows the same rows. */
export function useListState<F extends Filters>(noFilters: F): ListState<F> {
  const [table, setTable] = useState(() => readTable(new URLSearchParams(window.location.search)))
  const [filters, setFilters] = useState(() => readFilters(new URLSearchParams(window.location.search), noFilters))
  const search = useDebounced(table.search).trim()

  useEffect(() => {
    const text = addressOf({ ...table, search }, filters)
    const address = window.location.pathname + (text && `?${text}`)
    if (address !== window.location.pathname + window.location.search) history.replaceState(history.state, '', address)
  }, [table, search, filters])

  return {
    table,
    setTable,
    filters,
    setFilter: (name, value) => {
      setFilters({ ...filters, [name]: value })
      setTable({ ...table, page: 1 })
    },
    setFilters: (change) => {
      setFilters({ ...filters, ...change })
      setTable({ ...table, page: 1 })
    },
    clear: () => {
      setFilters(noFilters)
      setTable({ ...FIRST_PAGE, pageSize: table.pageSize })
    },
    query: { ...filters, search, page: table.page, pageSize: table.pageSize },
    narrowed: search !== '' || Object.values(filters).some((value) => value !== ''),
  }
}

/** Goes back to the last page when the list has become shorter than the page that is shown. */
export function useLastPage(
  list: { rows: readonly unknown[]; total: number } | undefined,
  { table, setTable }: Pick<ListState<Filters>, 'table' | 'setTable'>,
): void {
  const beyond = list !== undefined && list.rows.length === 0 && list.total > 0 && table.page > 1
  const last = list ? Math.max(1, Math.ceil(list.total / table.pageSize)) : 1
  useEffect(() => {
    if (beyond && table.page > last) setTable({ ...table, page: last })
  }, [beyond, last, table, setTable])
}

function readTable(params: URLSearchParams): TableState {
  const page = Number(params.get('page') ?? 1)
  const pageSize = Number(params.get('pageSize') ?? DEFAULT_PAGE_SIZE)
  return {
    page: Number.isInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1,
    pageSize: PAGE_SIZES.includes(pageSize as PageSize) ? (pageSize as PageSize) : DEFAULT_PAGE_SIZE,
    search: (params.get('search') ?? '').slice(0, 100),
  }
}

function readFilters<F extends Filters>(params: URLSearchParams, noFilters: F): F {
  return Object.fromEntries(Object.keys(noFilters).map((name) => [name, params.get(name) ?? ''])) as F
}

function addressOf({ page, pageSize, search }: TableState, filters: Filters): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) if (value) params.set(name, value)
  if (search) params.set('search', search)
  if (page > 1) params.set('page', String(page))
  if (pageSize !== DEFAULT_PAGE_SIZE) params.set('pageSize', String(pageSize))
  return params.toString()
}
