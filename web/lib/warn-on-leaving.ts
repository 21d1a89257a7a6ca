import { useEffect, useEffectEvent } from 'react'

/** Lets the browser ask before it leaves or reloads the page while `isUnsaved` says so. */
export function useWarnOnLeaving(isUnsaved: () => boolean): void {
  const warn = useEffectEvent((event: BeforeUnloadEvent) => {
    if (isUnsaved()) event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: BeforeUnloadEvent) => warn(event)
    window.addEventListener('beforeunload', listen)
    return () => window.removeEventListener('beforeunload', listen)
  }, [])
}
