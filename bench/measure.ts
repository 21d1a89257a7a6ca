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
