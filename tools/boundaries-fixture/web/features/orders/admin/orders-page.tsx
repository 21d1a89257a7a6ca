import { StatsChart } from '../../stats/admin/stats-chart.tsx'
import { Button } from '../../../ui/button.tsx'
export default function OrdersPage() {
  return <Button><StatsChart /></Button>
}
