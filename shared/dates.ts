/** day/month/year hour:minute:second, 24-hour, in UTC, which is Ghana's time all year. */
export function formatDateTime(date: Date): string {
  const two = (value: number) => value.toString().padStart(2, '0')
  const day = `${two(date.getUTCDate())}/${two(date.getUTCMonth() + 1)}/${date.getUTCFullYear()}`
  return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
}
