import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation } from 'wouter'
import { isTyping, keysOn } from '../../lib/admin/keys.ts'
import { MORE, useScreens } from './screens.tsx'

const GO_WITHIN_MS = 1500

/** G and a letter open a screen, and / goes to the search. What a screen does with a key itself comes first. */
export function useAdminKeys(): void {
  const [, navigate] = useLocation()
  const on = keysOn.use()
  const screens = useScreens()
  const wentAt = useRef(0)
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return
    const going = event.timeStamp - wentAt.current < GO_WITHIN_MS
    wentAt.current = 0
    const target = going && [...screens, MORE].find(({ letter }) => letter === event.key)
    if (target) navigate(target.href)
    else if (event.key === 'g') wentAt.current = event.timeStamp
    else if (event.key === '/') (document.querySelector<HTMLInputElement>('#main input[type=search], #admin-search') ?? null)?.focus()
    else return
    event.preventDefault()
  })
  useEffect(() => {
    if (!on) return
    const listen = (event: KeyboardEvent) => handle(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [on])
}
