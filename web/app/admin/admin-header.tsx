import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { countWaiting, inboxQuery } from '../../features/office/inbox/admin/api.ts'
import { useShop } from '../../features/shop/shop/api.ts'
import { useMediaQuery } from '../../lib/use-media-query.ts'
import { screenTitle } from '../../ui/admin/screen-title.ts'
import { IconButton } from '../../ui/button.tsx'
import { CsvButton } from '../../ui/csv-button.tsx'
import { LAPTOP } from './admin-navigation.tsx'
import { AdminSearch } from './admin-search.tsx'
import { HeaderDay } from './header-day.tsx'
import type { Screen } from './screen.ts'
import { MORE } from './screens.tsx'

/** What is open, the search, and at a laptop the day so far. */
export function AdminHeader({ screen }: { screen: Screen }) {
  const laptop = useMediaQuery(LAPTOP)
  const [searching, setSearching] = useState(false)
  const { href, label, title, csv, place } = screen
  const own = screenTitle.use()
  const heading = own?.title ?? (href === '/admin/inbox' ? title : label)
  const subtitle = own?.subtitle ?? (heading === title ? null : title)
  const back = own?.back ?? (place === 'bar' ? null : MORE.href)
  const { data: waiting = 0 } = useQuery({ ...inboxQuery, select: ({ groups }) => countWaiting(groups) })
  useDocumentTitle(own?.title ?? title, waiting)
  return (
    <header className="no-print sticky top-0 z-20 flex min-h-14 flex-wrap items-center gap-1 lg:flex-nowrap border-b border-line bg-surface py-1 pr-2 pl-4 lg:col-start-2 lg:min-h-16 lg:gap-5 lg:px-6 lg:py-2 short:static">
      {back && (
        <Link
          href={back}
          aria-label="Back"
          className="-ml-3 grid size-11 shrink-0 place-items-center rounded-box hover:bg-sunken lg:hidden"
        >
          <ChevronLeft className="size-5" aria-hidden="true" />
        </Link>
      )}
      <div className="min-w-0 flex-1 basis-[5rem]">
        <h1 className="line-clamp-2 break-words text-title leading-[1.2] lg:line-clamp-1 font-bold tracking-[-0.01em]">{heading}</h1>
        {subtitle && <p className="text-small leading-[1.3] break-words text-muted">{subtitle}</p>}
      </div>
      {own?.actions}
      {csv && !own?.back && <CsvButton file={csv} />}
      {laptop ? (
        <>
          <AdminSearch />
          <HeaderDay />
        </>
      ) : (
        <IconButton label="Search" onClick={() => setSearching(true)}>
          <Search className="size-5" aria-hidden="true" />
        </IconButton>
      )}
      {searching && !laptop && <AdminSearch onClose={() => setSearching(false)} />}
    </header>
  )
}

/** The browser's tab says how many wait. */
function useDocumentTitle(title: string, waiting: number): void {
  const { name } = useShop()
  useEffect(() => {
    document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title} · ${name}`
  }, [title, waiting, name])
}
