import { useQuery } from '@tanstack/react-query'
import { inboxQuery } from '../../features/office/inbox/admin/api.ts'
import { ShopDay } from '../../features/office/inbox/admin/day-figures.tsx'
import { useNow } from '../../lib/use-now.ts'

/** The day so far, beside the search; its place is kept until it is known. */
export function HeaderDay() {
  const { data } = useQuery(inboxQuery)
  const now = useNow()
  return (
    <div className="hidden w-73 shrink-0 min-h-10.5 min-[75rem]:block">{data && <ShopDay day={data.day} now={now} small withTime />}</div>
  )
}
