import { useQuery } from '@tanstack/react-query'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { accountQuery } from '../../account/api.ts'
import { SecondFactorCard } from './second-factor-card.tsx'

/** One's own code at sign-in. */
export default function CodePage() {
  const { data, error, refetch } = useQuery(accountQuery)
  if (data?.secondFactor) {
    return (
      <div className="max-w-[45rem]">
        <SecondFactorCard factor={data.secondFactor} />
      </div>
    )
  }
  if (error) return <LoadError what="Your code" error={error} onRetry={() => void refetch()} />
  return (
    <Loading label="Loading your code…">
      <Skeleton className="h-48 max-w-[45rem]" />
    </Loading>
  )
}
