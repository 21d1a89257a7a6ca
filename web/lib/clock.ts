/** The shop's time is told in whole seconds, and a slow line tells it late: less apart is not apart. */
const AGREES_MS = 90_000

/** `ahead`: by how much the shop's clock is ahead of this device's. The early script notes it from the page, where the line brought one. */
const known: { ahead?: number | undefined } = typeof window === 'undefined' ? {} : window

/** Takes the shop's time from an answer that has just come. */
export function noteShopTime(date: string | null): void {
  const apartMs = Date.parse(date as string) - Date.now()
  known.ahead = Math.abs(apartMs) > AGREES_MS ? apartMs : 0
}

/** The time by the shop's clock. Phones are wrong by a day, or were set by hand. */
export function shopNow(): Date {
  return new Date(Date.now() + (known.ahead ?? 0))
}
