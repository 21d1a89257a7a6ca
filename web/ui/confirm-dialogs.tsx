import { type ComponentType, useEffect, useState } from 'react'
import { holdBack } from '../lib/dialog-history.ts'
import { connectionTexts } from '../texts/connection.ts'
import { type PendingQuestion, pendingQuestions } from './confirm-action.ts'
import { toast } from './toast.ts'

/** Fetches the dialog's code ahead, so that a question can be asked when the connection has gone. */
export const loadConfirmDialog = () => import('./confirm-dialog.tsx')

/** Shows the questions of `confirmAction`; used once, in the shell. */
export function ConfirmDialogs() {
  const next = pendingQuestions.use()[0]
  const [Shown, setShown] = useState<ComponentType<PendingQuestion> | null>(null)
  const asked = next !== undefined
  useEffect(() => {
    if (!asked || Shown) return
    loadConfirmDialog().then(
      ({ default: ConfirmDialog }) => setShown(() => ConfirmDialog),
      () => {
        toast.danger(connectionTexts.notReached)
        for (const question of pendingQuestions.get()) question.answer(false)
      },
    )
  }, [asked, Shown])
  // Until the dialog is there to hold it.
  useEffect(() => (next && !Shown ? holdBack(() => next.answer(false)) : undefined), [next, Shown])
  return next && Shown ? <Shown key={next.id} {...next} /> : null
}
