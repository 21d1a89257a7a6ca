// breaks: admin-only-through-the-router
import type { StatsChart } from '../stats/admin/stats-chart.tsx'
export type KnowsTheTypeOfAdmin = typeof StatsChart
