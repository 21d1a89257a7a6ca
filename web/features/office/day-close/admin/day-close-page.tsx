import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useScreenTitle } from '../../../../ui/admin/screen-title.ts'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { type Asked, dayCloseQuery } from './api.ts'
import { dayName, rangeWords } from './day-close-words.ts'
import { OpenDay } from './open-day.tsx'
import { SignedClosePage } from './signed-close-page.tsx'

/** What moved since the last close, or in a range of time, next to what was counted; and a close as it was signed. */
export default function DayClosePage() {
  const [path] = useLocation()
  const id = /^\/admin\/day-close\/(\d+)$/.exec(path)?.[1]
  return id ? <SignedClosePage key={id} id={id} /> : <OpenDayPage />
}

function OpenDayPage() {
  const [asked, setAsked] = useState<Asked>({})
  const { data, error, refetch, isFetching } = useQuery(dayCloseQuery(asked))
  useScreenTitle({
    title: data ? `Close ${dayName(data.sheet)}` : 'Day close',
    subtitle: data ? rangeWords(data.sheet) : null,
    back: '/admin/more',
  })
  if (data)
    return <OpenDay key={data.sheet.until} reply={data} asked={asked} onAsk={setAsked} onAgain={() => void refetch()} busy={isFetching} />
  if (error) return <LoadError what="The day" error={error} onRetry={() => void refetch()} />
  return (
    <Loading label="Adding up the day…">
      <div className="grid gap-4 lg:grid-cols-2">
        <Skeleton className="h-96" />
        <Skeleton className="h-96" />
      </div>
    </Loading>
  )
}
