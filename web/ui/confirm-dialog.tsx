import { useEffect, useState } from 'react'
import { messageTexts } from '../texts/messages.ts'
import type { PendingQuestion } from './confirm-action.ts'
import { Dialog } from './dialog.tsx'
import { NoticeBox } from './notice-box.tsx'
import { useStanding } from './use-standing.ts'

/** Meant for the page below: a press so soon after the question appeared. */
const TOO_SOON_MS = 400

/** Asks one question of `confirmAction`. Without a title of its own, the question is the heading. */
export default function ConfirmDialog({
  question,
  title,
  details,
  yes = messageTexts.yes,
  stub,
  no,
  danger,
  cautious,
  about,
  answer,
}: PendingQuestion) {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), TOO_SOON_MS)
    return () => clearTimeout(timer)
  }, [])
  const { changed, stands } = useStanding(about)
  const agree = () => {
    if (stands()) answer(true)
  }
  // It stays until it is read, since it may have changed in a tab that nobody looks at.
  const over = changed !== null
  return (
    <Dialog
      role="alertdialog"
      title={title ?? question}
      onClose={() => answer(false)}
      done={over ? messageTexts.goBack : undefined}
      yes={
        over
          ? undefined
          : {
              children: yes,
              stub,
              variant: cautious ? 'secondary' : danger ? 'danger' : 'primary',
              className: isReady ? undefined : 'pointer-events-none',
              onClick: agree,
            }
      }
      no={{ ...(no !== undefined && { children: no }), variant: cautious ? 'primary' : 'secondary', onClick: () => answer(false) }}
    >
      {over ? (
        <NoticeBox tone="pending">{changed}</NoticeBox>
      ) : (
        <>
          {title && <p className="text-large">{question}</p>}
          {details && <div className={title ? 'mt-4' : ''}>{details}</div>}
        </>
      )}
    </Dialog>
  )
}
