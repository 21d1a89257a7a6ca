import { useSyncExternalStore } from 'react'

/** How many times as large as usual people have set their letters, for what is laid out in pixels: 2 is twice the size. */
export function useLetterSize(): number {
  return useSyncExternalStore(subscribe, letterSize, () => 1)
}

function letterSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}
