import { useEffect, useState } from 'react'
import { messageTexts } from '../texts/messages.ts'
import type { PendingQuestion } from './confirm-action.ts'
import { Dialog } from './dialog.tsx'

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
  answer,
}: PendingQuestion) {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), TOO_SOON_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Dialog
      role="alertdialog"
      title={title ?? question}
      onClose={() => answer(false)}
      yes={{
        children: yes,
        stub,
        variant: cautious ? 'secondary' : danger ? 'danger' : 'primary',
        className: isReady ? undefined : 'pointer-events-none',
        onClick: () => answer(true),
      }}
      no={{ ...(no !== undefined && { children: no }), variant: cautious ? 'primary' : 'secondary', onClick: () => answer(false) }}
    >
      {title && <p className="text-large">{question}</p>}
      {details && <div className={title ? 'mt-4' : ''}>{details}</div>}
    </Dialog>
  )
}
