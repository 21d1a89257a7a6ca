import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSearch } from 'wouter'
import { DEFAULT_PAGE_SIZE, PAGE_SIZES, type PageSize } from '../../shared/limits.ts'
import { useDebounced } from '../lib/use-debounced.ts'
import { FIRST_PAGE, type TableState } from './data-table.tsx'

/** A list's filters by their names on the server; '' means no filter. */
export type Filters = Record<string, string>

/** What the server is asked for; the search has no space at its ends. */
export type ListQuery = { page: number; pageSize: number; search: string }

export type ListState<F extends Filters> = {
  table: TableState
  setTable: (table: TableState) => void
  filters: F
  setFilter: (name: keyof F & string, value: string) => void
  /** Sets several at once. */
  setFilters: (change: Partial<F>) => void
  clear: () => void
  /** What to ask the server for; the search follows once typing pauses. */
  query: ListQuery & Record<keyof F, string>
  narrowed: boolean
}

const NO_FILTERS = {}

/**
 * A list's page, size, search and filters, kept in the address so that a reload or Back shows the same rows.
 * `name` keeps the lists of one page apart.
 */
export function useListState<F extends Filters>(noFilters: F = NO_FILTERS as F, name = ''): ListState<F> {
  const [table, setTable] = useState(() => readTable(ownParams(name)))
  const [filters, setFilters] = useState(() => readFilters(ownParams(name), noFilters))
  const search = useDebounced(table.search).trim()
  const own = addressOf({ ...table, search }, filters)
  const written = useRef(own)

  useEffect(() => {
    written.current = own
    const params = new URLSearchParams(window.location.search)
    for (const key of ownKeys(filters)) params.delete(name + key)
    for (const [key, value] of new URLSearchParams(own)) params.set(name + key, value)
    const text = params.toString()
    const address = window.location.pathname + (text && `?${text}`) + window.location.hash
    if (text !== new URLSearchParams(window.location.search).toString()) history.replaceState(history.state, '', address)
  }, [own, name, filters])

  // A link or Back leads to another part of the same list.
  const shown = useSearch()
  const follow = useEffectEvent((search: string) => {
    const params = ownParams(name, search)
    const asked = addressOf(readTable(params), readFilters(params, filters))
    if (asked === written.current) return
    written.current = asked
    setTable(readTable(params))
    setFilters(readFilters(params, filters))
  })
  useEffect(() => follow(shown), [shown])

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

function ownParams(name: string, search = window.location.search): URLSearchParams {
  const params = [...new URLSearchParams(search)]
  return new URLSearchParams(params.flatMap(([key, value]) => (key.startsWith(name) ? [[key.slice(name.length), value]] : [])))
}

function ownKeys(filters: Filters): string[] {
  return [...Object.keys(filters), 'search', 'page', 'pageSize']
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
