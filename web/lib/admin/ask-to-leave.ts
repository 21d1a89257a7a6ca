import { useEffect } from 'react'
import { confirmAction } from '../../ui/confirm-action.ts'

/** For a dialog with unsaved work: asks before it is closed, and lets the browser ask before the page is left. */
export function useAskToLeave(dirty: boolean, onClose: () => void): () => void {
  useEffect(() => {
    if (!dirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [dirty])
  return () => {
    if (!dirty) return onClose()
    void confirmAction({ question: 'Leave without saving your changes?', title: 'Unsaved changes', danger: true }).then((yes) => {
      if (yes) onClose()
    })
  }
}
