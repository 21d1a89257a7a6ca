/** A round number at or above the greatest value, so that the axis ends on 1, 2, 2.5 or 5 times a power of ten. */
export function topOfScale(values: readonly number[]): number {
  const greatest = Math.max(0, ...values)
  if (greatest === 0) return 1
  const power = 10 ** Math.floor(Math.log10(greatest))
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= greatest) ?? 10
  return step * power
}

/** 1234.5 as "1.2k", short enough for an axis. */
export function shortNumber(value: number): string {
  if (value >= 1_000_000) return `${trim(value / 1_000_000)}m`
  if (value >= 1000) return `${trim(value / 1000)}k`
  return trim(value)
}

function trim(value: number): string {
  return Number(value.toFixed(value >= 100 ? 0 : 1)).toString()
}

/** "2026-11-21" as "21 Nov". */
export function dayName(date: string): string {
  const [, month = '', day = ''] = date.split('-')
  const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
  return `${Number(day)} ${names[Number(month) - 1] ?? ''}`
}
