import { messageOf } from '../../lib/http.ts'
import { NoticeBox } from '../notice-box.tsx'

/** Warns that the rows could not be refreshed and may be out of date. */
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
