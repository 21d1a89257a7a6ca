// breaks: wings-in-order
import { StatsChart } from '../../../office/stats/admin/stats-chart.tsx'
import { Button } from '../../../../ui/button.tsx'
export default function OrdersPage() {
  return <Button><StatsChart /></Button>
}
