import { Moon } from 'lucide-react'
import type { JobsReply } from '../../../../../shared/jobs.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { Card } from '../../../../ui/page.tsx'
import { queueWords } from './job-words.ts'

type Queue = JobsReply['queues'][number]

const COUNTS = [
  { key: 'active', words: 'in hand' },
  { key: 'waiting', words: 'waiting' },
  { key: 'later', words: 'later' },
  { key: 'failed', words: 'stuck' },
] as const satisfies readonly { key: keyof Queue; words: string }[]

/** At this many, the relay of new orders has stopped working. */
const TOO_MANY_TO_RELAY = 50

/** Counts per queue; empty queues are named last. */
export function QueueList({ queues, ordersToRelay }: Pick<JobsReply, 'queues' | 'ordersToRelay'>) {
  const all: Queue[] = [{ queue: 'new-orders', active: 0, waiting: ordersToRelay, later: 0, failed: 0 }, ...queues]
  const isIdle = (queue: Queue) => COUNTS.every(({ key }) => queue[key] === 0)
  const idle = all.filter(isIdle)
  return (
    <section aria-label="Work at this moment">
      <h2 className="pb-1 text-title">Work at this moment</h2>
      <p className="max-w-prose pb-3 text-muted">
        “Waiting” starts as soon as possible. “Later” has a set time, such as a second try or the next check with a supplier.
      </p>
      <Card className="divide-y divide-line">
        {idle.length < all.length && (
          <ul className="divide-y divide-line">
            {all
              .filter((queue) => !isIdle(queue))
              .map((queue) => (
                <li key={queue.queue} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-4 py-3">
                  <span className="font-semibold">{queueWords(queue.queue)}</span>
                  <span className="flex flex-wrap gap-x-4">
                    {COUNTS.filter(({ key }) => queue[key] > 0).map(({ key, words }) => (
                      <span
                        key={key}
                        className={classNames(
                          (key === 'failed' || (queue.queue === 'new-orders' && ordersToRelay >= TOO_MANY_TO_RELAY)) && 'text-danger',
                        )}
                      >
                        <span className="tabular font-bold">{queue[key].toLocaleString('en')}</span> {words}
                      </span>
                    ))}
                  </span>
                </li>
              ))}
          </ul>
        )}
        {idle.length > 0 && (
          <details className="px-4 text-small text-muted">
            <summary className="flex min-h-11 cursor-pointer items-center gap-2">
              <Moon className="size-4 shrink-0" aria-hidden="true" />
              {idle.length === all.length ? 'Nothing to do right now' : `Nothing waiting in ${idle.length} others`}
            </summary>
            <ul className="pb-3 pl-6">
              {idle.map(({ queue }) => (
                <li key={queue}>{queueWords(queue)}</li>
              ))}
            </ul>
          </details>
        )}
      </Card>
    </section>
  )
}
