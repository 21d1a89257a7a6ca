import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation } from 'wouter'
import { isTyping, keysOn } from '../../lib/admin/keys.ts'
import { MORE, useScreens } from './screens.tsx'

const GO_WITHIN_MS = 1500

/** G and a letter open a screen, / goes to the search, and ? shows all keys. What a screen does with a key itself comes first. */
export function useAdminKeys(onHelp: () => void): void {
  const [, navigate] = useLocation()
  const on = keysOn.use()
  const screens = useScreens()
  const wentAt = useRef(Number.NEGATIVE_INFINITY)

  // Before the screens' own keys: after G, a P opens the prices and processes no order.
  const go = useEffectEvent((event: KeyboardEvent) => {
    if (isOther(event)) return
    const going = event.timeStamp - wentAt.current < GO_WITHIN_MS
    wentAt.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
    const target = going && [...screens, MORE].find(({ letter }) => letter === event.key)
    if (!target) return
    event.preventDefault()
    event.stopImmediatePropagation()
    navigate(target.href)
  })
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (isOther(event) || event.defaultPrevented) return
    if (event.key === '/') document.querySelector<HTMLInputElement>('#admin-search, #main input[type=search]')?.focus()
    else if (event.key === '?') onHelp()
    else return
    event.preventDefault()
  })
  useEffect(() => {
    if (!on) return
    const first = (event: KeyboardEvent) => go(event)
    const last = (event: KeyboardEvent) => handle(event)
    window.addEventListener('keydown', first, { capture: true })
    window.addEventListener('keydown', last)
    return () => {
      window.removeEventListener('keydown', first, { capture: true })
      window.removeEventListener('keydown', last)
    }
  }, [on])
}

function isOther(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return true
  return isTyping(event.target) || document.querySelector('dialog[open]') !== null
}
