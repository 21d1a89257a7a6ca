import type { Shop } from '../../../../shared/shop.ts'

/** Ghana is on UTC all year. */
export function isOpenAt({ days, opens, closes }: NonNullable<Shop['hours']>, at: Date): boolean {
  const minute = at.getUTCHours() * 60 + at.getUTCMinutes()
  return days.includes(at.getUTCDay()) && minute >= opens && minute < closes
}
