export type Round = { perSecond: number; latenciesMs: number[] }

/** Lets `clients` each do `work` over and over, one after the other, for that long. */
export async function measure({
  clients,
  seconds,
  work,
}: {
  clients: number
  seconds: number
  work: (client: number, turn: number) => Promise<void>
}): Promise<Round> {
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  const until = startedAt + seconds * 1_000
  const runClient = async (client: number) => {
    for (let turn = 0; ; turn++) {
      const since = performance.now()
      if (since >= until) return
      await work(client, turn)
      latenciesMs.push(performance.now() - since)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)))
  return { perSecond: (latenciesMs.length / (performance.now() - startedAt)) * 1_000, latenciesMs }
}

/**
 * Begins work at a steady rate, whether or not what was begun before is done, and replies how long each took from the
 * moment at which it was due, so waiting for a free client counts.
 */
export async function measurePaced({
  clients,
  perSecond,
  seconds,
  work,
}: {
  clients: number
  perSecond: number
  seconds: number
  work: (client: number, turn: number) => Promise<void>
}): Promise<number[]> {
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  const total = Math.floor(perSecond * seconds)
  let next = 0
  const runClient = async (client: number) => {
    for (;;) {
      const turn = next++
      if (turn >= total) return
      const due = startedAt + (turn / perSecond) * 1_000
      const early = due - performance.now()
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
      await work(client, turn)
      latenciesMs.push(performance.now() - due)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)))
  return latenciesMs
}

/** The value below which `part` of the values lie. */
export function percentile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}
