/** A number of places that are taken in the order in which they were asked for. */
export type Turns = {
  /** Resolves once a place is free, to a function that gives it back; a second call of it does nothing. */
  take(): Promise<() => void>
}

export function openTurns(places: number): Turns {
  const waiting: (() => void)[] = []
  let free = places
  return {
    async take() {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      let isTaken = true
      return () => {
        if (!isTaken) return
        isTaken = false
        const next = waiting.shift()
        if (next) next()
        else free += 1
      }
    },
  }
}
