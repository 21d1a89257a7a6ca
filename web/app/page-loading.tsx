import { useEffect, useState } from 'react'
import { Page } from '../ui/page.tsx'
import { Loading, Skeleton } from '../ui/skeleton.tsx'

/** While a screen's own code is on its way. It waits a moment, so that a quick screen does not flicker. */
export function PageLoading() {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), 200)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Page>
      <Loading>
        <div className={slow ? 'flex flex-col gap-6 pt-10' : 'invisible'}>
          <Skeleton className="h-9 w-48" />
          <Skeleton className="h-56" />
        </div>
      </Loading>
    </Page>
  )
}
