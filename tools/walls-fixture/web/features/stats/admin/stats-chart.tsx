export const StatsChart = () => null
