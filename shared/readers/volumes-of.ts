/** The supplier's volume is stored in a PostgreSQL integer. */
const MAX_VOLUME_MB = 2_147_483_647

/** The megabytes of a number with a unit, as a list that is empty unless they are whole. Multiplied as text, to avoid floating point. */
export function volumesOf({ whole, fraction }: { whole: string; fraction: string }, unit: string): number[] {
  const decimals = /^g/i.test(unit) ? 3 : 0
  if (!/^0*$/.test(fraction.slice(decimals))) return []
  const volumeMb = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return volumeMb > 0 && volumeMb <= MAX_VOLUME_MB ? [volumeMb] : []
}
