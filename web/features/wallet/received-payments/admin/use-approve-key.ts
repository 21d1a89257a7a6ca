import { useEffect, useEffectEvent } from 'react'
import { isTyping, keysOn } from '../../../../lib/admin/keys.ts'

/** The key A approves what is chosen. */
export function useApproveKey(approve: (() => void) | null): void {
  const on = keysOn.use()
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'a' || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return
    if (!approve || isTyping(event.target) || document.querySelector('dialog[open]')) return
    event.preventDefault()
    approve()
  })
  useEffect(() => {
    if (!on) return
    const listen = (event: KeyboardEvent) => handle(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [on])
}
