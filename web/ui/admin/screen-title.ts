import { type ReactNode, useLayoutEffect } from 'react'
import { createStore } from '../../lib/store.ts'

type Title = {
  title: string
  subtitle?: ReactNode
  /** Where the arrow before the title leads, on a phone. */
  back?: string
  /** Beside the search. */
  actions?: ReactNode
}

/** What the open screen says in the header instead of its name; null for its name. */
export const screenTitle = createStore<Title | null>(null)

/** Sets the header while the calling screen is open, such as the number of the order that it shows. */
export function useScreenTitle({ title, subtitle, back, actions }: Title): void {
  useLayoutEffect(() => {
    screenTitle.set({ title, subtitle, ...(back === undefined ? {} : { back }), actions })
  }, [title, subtitle, back, actions])
  useLayoutEffect(() => () => screenTitle.set(null), [])
}
