import { useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useMediaQuery } from '../../../../lib/use-media-query.ts'
import { useScreenTitle } from '../../../../ui/admin/screen-title.ts'
import { UsersTable } from '../../../people/users/admin/users-table.tsx'
import { CustomerFinder } from './customer-finder.tsx'
import { CustomerView } from './customer-view.tsx'

const HREF = '/admin/customers'
/** From here on there is room for the list beside the customer. */
const BESIDE = '(min-width: 80rem)'

/** Customers: find one, and everything about them. */
export default function CustomersPage() {
  const [path] = useLocation()
  const id = path.slice(HREF.length + 1).split('/')[0] ?? ''
  if (id === 'all') return <AllUsers />
  return <Customers id={id} />
}

function Customers({ id }: { id: string }) {
  const beside = useMediaQuery(BESIDE)
  const inAddress = new URLSearchParams(useSearch()).get('search') ?? ''
  const [search, setSearch] = useState(inAddress)
  // The header's search leads here, also while this screen is open.
  useEffect(() => {
    if (inAddress) setSearch(inAddress)
  }, [inAddress])
  const finder = <CustomerFinder search={search} onSearch={setSearch} current={id} />
  if (!beside) {
    const finding = id === '' || search !== ''
    return (
      <div className="mx-auto flex w-full max-w-180 flex-col gap-4 lg:max-w-none">
        <CustomerFinder search={search} onSearch={setSearch} current={id} inputOnly={!finding} onChosen={() => setSearch('')} />
        {id !== '' && (
          <div className={finding ? 'hidden' : undefined}>
            <CustomerView key={id} id={id} />
          </div>
        )}
      </div>
    )
  }
  return (
    <div className="grid grid-cols-[minmax(15rem,18rem)_minmax(0,1fr)] items-start gap-4">
      <div className="sticky top-20">{finder}</div>
      {id === '' ? <Choose /> : <CustomerView key={id} id={id} />}
    </div>
  )
}

function Choose() {
  return (
    <div className="grid min-h-80 place-items-center rounded-box border border-dashed border-line px-6 text-center text-muted">
      <p>Choose a customer to see their wallet, orders, top-ups and notes.</p>
    </div>
  )
}

/** The whole table of users, whose level and status change in place. */
function AllUsers() {
  useScreenTitle({ title: 'Users', subtitle: 'Everybody with an account', back: HREF })
  return <UsersTable />
}
