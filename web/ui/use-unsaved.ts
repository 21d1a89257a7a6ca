import { type RefObject, useEffect, useRef } from 'react'
import { useWarnOnLeaving } from '../lib/warn-on-leaving.ts'

type TextField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * Whether a dialog holds something typed that closing it would lose: `known` where the dialog knows it better, otherwise a field in it
 * that somebody has changed.
 */
export function useUnsaved(dialog: RefObject<HTMLDialogElement | null>, known: boolean | undefined): () => boolean {
  const first = useRef(new Map<TextField, string>())
  const typed = useRef(new Set<TextField>())
  useEffect(() => {
    const shown = dialog.current
    if (!shown) return
    const note = (field: unknown) => {
      if (isField(field) && !first.current.has(field)) first.current.set(field, valueIn(field))
    }
    const onFocus = ({ target }: Event) => note(target)
    const onInput = ({ target }: Event) => {
      if (isField(target)) typed.current.add(target)
    }
    for (const field of shown.querySelectorAll('input, textarea, select')) note(field)
    shown.addEventListener('focusin', onFocus)
    shown.addEventListener('input', onInput)
    return () => {
      shown.removeEventListener('focusin', onFocus)
      shown.removeEventListener('input', onInput)
    }
  }, [dialog])
  const isUnsaved = () =>
    known ?? [...typed.current].some((field) => field.isConnected && valueIn(field) !== (first.current.get(field) ?? ''))
  useWarnOnLeaving(isUnsaved)
  return isUnsaved
}

/** Words to search for are no work. */
function isField(target: unknown): target is TextField {
  return (
    (target instanceof HTMLInputElement && target.type !== 'search') ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
}

function valueIn(field: TextField): string {
  return field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio') ? String(field.checked) : field.value
}
