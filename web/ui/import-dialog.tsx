import { useState } from 'react'
import type { Reply } from '../../shared/readers/read-column.ts'
import { messageOf } from '../lib/http.ts'
import type { TableImport } from '../lib/use-table-import.ts'
import { Dialog } from './dialog.tsx'
import { ImportReview, type ReviewProps } from './import-review.tsx'
import { NoticeBox } from './notice-box.tsx'

type Props<R extends string, T extends Reply<R>> = ReviewProps<R> & {
  from: TableImport<R, T>
  title: string
  file: string
  /** Why this file can't be taken. */
  problem?: string | null
  /** The button, and whether there is anything for it to take. */
  take: string
  isEmpty: boolean
  onTake: () => Promise<void> | void
  onClose: () => void
}

/** What a file's table says, before anything of it is taken. */
export function ImportDialog<R extends string, T extends Reply<R>>(props: Props<R, T>) {
  const { title, file, problem, take, isEmpty, onTake, onClose, ...review } = props
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const press = async () => {
    setBusy(true)
    setRefused(null)
    try {
      await onTake()
      review.from.remember()
    } catch (error) {
      setRefused(messageOf(error))
    }
    setBusy(false)
  }
  const wrong = problem ?? refused
  const disabled = isEmpty || Boolean(problem) || review.from.mustChoose
  return (
    <Dialog wide title={title} kicker={file} onClose={onClose} yes={{ busy, disabled, onClick: () => void press(), children: take }}>
      {wrong && (
        <NoticeBox tone="danger" className="mb-4">
          {wrong}
        </NoticeBox>
      )}
      <ImportReview {...review} />
    </Dialog>
  )
}
