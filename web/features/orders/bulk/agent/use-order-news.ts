import { useEffect } from 'react'
import { queryClient } from '../../../../lib/query-client.ts'
import { orderNews } from '../../orders/notify-about-order.ts'
import { jobQuery } from './api.ts'
import { patchLines } from './patch-lines.ts'

const EVERY_MS = 1_000

/** Shows news of a list's orders at its lines, gathered for a second: thousands of orders are not drawn one by one. */
export function useOrderNews(jobId: string): void {
  useEffect(() => {
    const gathered = new Map<string, NonNullable<ReturnType<typeof orderNews.get>>>()
    const stop = orderNews.subscribe(() => {
      const order = orderNews.get()
      if (order) gathered.set(order._id, order)
    })
    const timer = setInterval(() => {
      if (gathered.size === 0) return
      queryClient.setQueryData(jobQuery(jobId).queryKey, (known) => known && { ...known, lines: patchLines(known.lines, gathered) })
      gathered.clear()
    }, EVERY_MS)
    return () => {
      stop()
      clearInterval(timer)
    }
  }, [jobId])
}
