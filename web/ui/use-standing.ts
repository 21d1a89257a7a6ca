import { useEffect, useEffectEvent, useState } from 'react'
import type { Subject } from '../lib/subject.ts'

/** Whether what a question is about still stands. What has changed once stays said until it is read, since a tab may be looked at later. */
export function useStanding(about: Subject | undefined) {
  const [changed, setChanged] = useState<string | null>(null)
  const look = useEffectEvent(() => setChanged(changed ?? about?.changed() ?? null))
  useEffect(() => {
    const again = () => look()
    again()
    // A tab that was frozen has heard of nothing.
    addEventListener('focus', again)
    const stops = about?.on.map(({ subscribe }) => subscribe(again)) ?? []
    return () => {
      removeEventListener('focus', again)
      for (const stop of stops) stop()
    }
  }, [about])
  /** Right before the answer is acted on. */
  const stands = () => {
    const says = changed ?? about?.changed() ?? null
    setChanged(says)
    return says === null
  }
  return { changed, stands }
}
