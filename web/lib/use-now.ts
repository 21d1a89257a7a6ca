import { useEffect, useState } from 'react'
import { shopNow } from './clock.ts'

/** The shop's time, read again every `everyMs`, for a screen that says what is due. */
export function useNow(everyMs = 15_000): Date {
  const [now, setNow] = useState(shopNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(shopNow()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
