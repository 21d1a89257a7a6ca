import { lazy, Suspense } from 'react'
import { pendingQuestions } from './confirm-action.ts'

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'))

/** Stands once in the page and shows whatever `confirmAction` asks. */
export function ConfirmDialogs() {
  const next = pendingQuestions.use()[0]
  if (!next) return null
  return (
    <Suspense fallback={null}>
      <ConfirmDialog key={next.id} {...next} />
    </Suspense>
  )
}
