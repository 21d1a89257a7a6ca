const MINUTE_MS = 60_000

export type CallLimit = { take(endpoint: string): boolean }

/** Limits calls to one endpoint in any minute of the real clock. Refused calls do not count. */
export function limitCalls(perMinute: () => number | null): CallLimit {
  const recent = new Map<string, number[]>()
  return {
    take(endpoint) {
      const most = perMinute()
      const now = performance.now()
      const taken = (recent.get(endpoint) ?? []).filter((at) => at > now - MINUTE_MS)
      const isFree = most === null || taken.length < most
      recent.set(endpoint, isFree && most !== null ? [...taken, now] : taken)
      return isFree
    },
  }
}
