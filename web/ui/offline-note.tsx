import { useIsOffline } from '../lib/use-is-offline.ts'
import { messageTexts } from '../texts/messages.ts'
import { classNames } from './class-names.ts'

/** Stands next to a figure or a list that may be old, and is seen only without a connection. */
export function OfflineNote({ className }: { className?: string }) {
  if (!useIsOffline()) return null
  return (
    <span role="status" className={classNames('inline-flex items-center gap-1.5 text-small font-semibold text-pending', className)}>
      <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-pending" />
      {messageTexts.mayBeOld}
    </span>
  )
}
