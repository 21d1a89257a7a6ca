// breaks: wings-in-order
// breaks: admin-only-through-the-router
import type { StatsChart } from '../../office/stats/admin/stats-chart.tsx'
export type KnowsTheTypeOfAdmin = typeof StatsChart
