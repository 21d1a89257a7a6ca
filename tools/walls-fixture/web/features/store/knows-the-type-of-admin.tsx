// breaks: admin-only-through-the-router
import type { StatsChart } from '../admin/stats-chart.tsx'
export type Chart = typeof StatsChart
