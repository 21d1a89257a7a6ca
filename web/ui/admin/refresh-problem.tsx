import { messageOf } from '../../lib/http.ts'
import { NoticeBox } from '../notice-box.tsx'

/** Over rows that could not be read again: what is shown may be out of date. */
export function RefreshProblem({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (!error) return null
  return (
    <NoticeBox
      tone="pending"
      className="mb-4"
      title="This may be out of date."
      action={
        <button type="button" onClick={onRetry} className="min-h-11 rounded-box px-3 font-semibold underline underline-offset-4">
          Try again
        </button>
      }
    >
      {messageOf(error)}
    </NoticeBox>
  )
}
