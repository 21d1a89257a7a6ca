import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { floatsQuery, useFloatRights } from './api.ts'
import { isHolding } from './float-words.ts'

/** A warning beside the screen's name while a balance is low or finished, or a supplier takes no orders. */
export function SuppliersMark() {
  const { seesFloats } = useFloatRights()
  const { data } = useQuery({ ...floatsQuery, enabled: seesFloats })
  const resting = data?.floats.filter(isHolding).length ?? 0
  const low = data?.floats.filter(({ state }) => state === 'low').length ?? 0
  if (resting + low === 0) return null
  const words = [resting > 0 && `${resting} resting`, low > 0 && `${low} low`].filter(Boolean).join(', ')
  return (
    <span className="flex items-center text-pending">
      <TriangleAlert className="size-4" aria-hidden="true" />
      <span className="sr-only"> {words}</span>
    </span>
  )
}
