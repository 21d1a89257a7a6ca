/** What a question is about, and what may change while it is asked: a cart, a price, a balance, a record. */
export type Subject = {
  /** Stores that call back when it may have changed. */
  on: readonly { subscribe: (listener: () => void) => () => void }[]
  /** Says what has changed, so that what was asked does not stand any more; null while it stands. */
  changed: () => string | null
}

/** All of them have to stand. */
export function together(...subjects: readonly Subject[]): Subject {
  return {
    on: subjects.flatMap(({ on }) => on),
    changed() {
      for (const { changed } of subjects) {
        const says = changed()
        if (says !== null) return says
      }
      return null
    },
  }
}
