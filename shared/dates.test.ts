import { expect, test } from 'vitest'
import { formatDateTime } from './dates.ts'

test.each([
  ['2026-11-21T12:00:00Z', '21/11/2026 12:00:00'],
  ['2026-01-02T03:04:05.999Z', '02/01/2026 03:04:05'],
  ['2026-12-31T23:59:59Z', '31/12/2026 23:59:59'],
  ['2024-02-29T00:00:00Z', '29/02/2024 00:00:00'],
  ['2026-06-01T01:30:00+02:00', '31/05/2026 23:30:00'],
])('%s is %s, wherever the reader is', (iso, text) => {
  const before = process.env.TZ
  try {
    for (const zone of ['UTC', 'Africa/Accra', 'America/New_York', 'Pacific/Auckland']) {
      process.env.TZ = zone
      expect(formatDateTime(new Date(iso))).toBe(text)
    }
  } finally {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  }
})
