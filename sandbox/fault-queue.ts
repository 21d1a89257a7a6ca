import type * as z from 'zod'

export type FaultQueue<F, I> = {
  /** @throws z.ZodError for what is no fault of this service. */
  add(fault: I): void
  list(): F[]
  clear(): void
  /** The oldest fault that is meant, which has then happened once more. */
  take(isMeant: (fault: F) => boolean): F | null
}

/** The faults that wait for their moment, first come first served; they do not outlive the process. */
export function queueFaults<F extends { times: number }, I>(schema: z.ZodType<F, I>): FaultQueue<F, I> {
  let queue: F[] = []
  return {
    add: (fault) => void queue.push(schema.parse(fault)),
    list: () => queue.map((fault) => ({ ...fault })),
    clear: () => {
      queue = []
    },
    take(isMeant) {
      const fault = queue.find(isMeant)
      if (!fault) return null
      fault.times -= 1
      if (fault.times === 0) queue = queue.filter((one) => one !== fault)
      return fault
    },
  }
}
