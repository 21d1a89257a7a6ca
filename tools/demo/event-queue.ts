export type DemoEvent = { at: Date; run: () => Promise<void> }

/** Things to do at their time, earliest first; what happens at one moment keeps its order. */
export type EventQueue = {
  add(at: Date, run: () => Promise<void>): void
  /** The earliest one, if it is due before that moment. */
  takeBefore(moment: Date): DemoEvent | null
}

export function openEventQueue(): EventQueue {
  const events: DemoEvent[] = []
  return {
    add(at, run) {
      let [low, high] = [0, events.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((events[middle] as DemoEvent).at <= at) low = middle + 1
        else high = middle
      }
      events.splice(low, 0, { at, run })
    },
    takeBefore(moment) {
      return events[0] !== undefined && events[0].at < moment ? (events.shift() as DemoEvent) : null
    },
  }
}
