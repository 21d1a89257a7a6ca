export function StatsChart() {
  return null
}
