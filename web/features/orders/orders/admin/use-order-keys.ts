import { useEffect, useEffectEvent } from 'react'
import { isTyping, keysOn } from '../../../../lib/admin/keys.ts'

export const ORDER_KEYS = [
  { keys: 'j', does: 'Next order' },
  { keys: 'k', does: 'Previous order' },
  { keys: 'p', does: 'Process the order, or those selected' },
  { keys: 'r', does: 'Reject the order, or those selected' },
  { keys: 'x', does: 'Select the order' },
  { keys: '/', does: 'Search' },
  { keys: 'Esc', does: 'Select none' },
  { keys: '?', does: 'Show these keys' },
] as const

type Actions = {
  process: (id: string | null) => void
  reject: (id: string | null) => void
  select: (id: string) => void
  clear: () => void
  help: () => void
}

/** j and k move the focus from row to row; the other keys act on the row that has it. */
export function useOrderKeys(actions: Actions): void {
  const on = keysOn.use()
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return
    const current = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset.row ?? null
    switch (event.key) {
      case 'j':
        moveFocus(1)
        break
      case 'k':
        moveFocus(-1)
        break
      case 'p':
        actions.process(current)
        break
      case 'r':
        actions.reject(current)
        break
      case 'x':
        if (current) actions.select(current)
        break
      case '/':
        document.querySelector<HTMLInputElement>('#main input[type=search]')?.focus()
        break
      case 'Escape':
        actions.clear()
        return
      case '?':
        actions.help()
        break
      default:
        return
    }
    event.preventDefault()
  })
  useEffect(() => {
    if (!on) return
    const listen = (event: KeyboardEvent) => handle(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [on])
}

/** Returns the focus to a record's row after a dialog or a re-rendered button took it. */
export function focusRow(id: string): void {
  rows()
    .find((row) => row.dataset.row === id)
    ?.focus()
}

function moveFocus(step: 1 | -1): void {
  const all = rows()
  const at = all.findIndex((row) => row.contains(document.activeElement))
  const next = at < 0 ? all[0] : all[Math.min(Math.max(at + step, 0), all.length - 1)]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('#main [data-row]')]
}
