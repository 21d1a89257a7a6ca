import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Pause, Play, Plus } from 'lucide-react'
import { useState } from 'react'
import type { BulkGroup, BulkSchedule } from '../../../../../shared/bulk.ts'
import { toCedis, toPesewas } from '../../../../../shared/money.ts'
import { messageOf } from '../../../../lib/http.ts'
import { session } from '../../../../lib/session.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { moneyText } from '../../../../ui/money.tsx'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { changeSchedule, deleteSchedule, schedulesQuery } from './api.ts'
import { ScheduleForm } from './schedule-form.tsx'
import { nextWords, whenWords } from './when-words.ts'

/** When a group is sent by itself. `cedis` is what it costs now. */
export function Schedules({ group, cedis }: { group: BulkGroup; cedis: number }) {
  const { data, error, refetch } = useQuery(schedulesQuery)
  const [editing, setEditing] = useState<string | null>(null)
  const own = data?.filter(({ groupId }) => groupId === group._id) ?? []
  return (
    <section className="mt-4 lg:mt-0">
      <h2 className="flex min-h-11 items-center gap-2 text-large">
        <CalendarClock className="size-5" aria-hidden="true" />
        {bulkTexts.times}
      </h2>
      <p className="text-small text-muted">{bulkTexts.timesText}</p>
      {!data && error && <LoadError what={bulkTexts.yourTimes} error={error} onRetry={() => void refetch()} />}
      <ul>
        {own.map((schedule) => (
          <li key={schedule._id} className="ticket mt-2 p-3">
            {editing === schedule._id ? (
              <ScheduleForm group={group} schedule={schedule} cedis={cedis} onClose={() => setEditing(null)} />
            ) : (
              <ScheduleRow schedule={schedule} onChange={() => setEditing(schedule._id)} />
            )}
          </li>
        ))}
      </ul>
      {editing === NEW ? (
        <div className="ticket mt-2 p-3">
          <ScheduleForm group={group} schedule={null} cedis={cedis} onClose={() => setEditing(null)} />
        </div>
      ) : (
        data && (
          <Button
            block
            variant="secondary"
            className="mt-2"
            icon={<Plus className="size-4.5" aria-hidden="true" />}
            onClick={() => setEditing(NEW)}
          >
            {bulkTexts.addTime}
          </Button>
        )
      )}
    </section>
  )
}

const NEW = 'new'

function ScheduleRow({ schedule, onChange }: { schedule: BulkSchedule; onChange: () => void }) {
  const [busy, setBusy] = useState(false)
  const balance = session.use()?.balance ?? 0
  const { _id, most, isPaused, nextAt } = schedule
  const missing = toCedis(Math.max(0, toPesewas(most) - toPesewas(balance)))
  const act = async (deed: () => Promise<void>) => {
    setBusy(true)
    try {
      await deed()
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const remove = async () => {
    const agreed = await confirmAction({
      title: bulkTexts.remove,
      question: bulkTexts.removeTimeQuestion,
      yes: bulkTexts.yes,
    })
    if (agreed) await act(() => deleteSchedule(_id))
  }
  return (
    <>
      <b className="block">{whenWords(schedule)}</b>
      <p className="text-small text-muted">
        {nextWords(schedule)} · {bulkTexts.atMost(moneyText(most))}
      </p>
      {missing > 0 && nextAt && !isPaused && (
        <p className="text-small text-pending">{bulkTexts.shortFor(moneyText(balance), moneyText(missing))}</p>
      )}
      <div className="mt-1 -ml-3 flex flex-wrap">
        {nextAt && (
          <Button
            variant="quiet"
            disabled={busy}
            icon={isPaused ? <Play className="size-4.5" aria-hidden="true" /> : <Pause className="size-4.5" aria-hidden="true" />}
            onClick={() => void act(() => changeSchedule(_id, isPaused ? 'resume' : 'pause'))}
          >
            {isPaused ? bulkTexts.resume : bulkTexts.pause}
          </Button>
        )}
        <Button variant="quiet" disabled={busy} onClick={onChange}>
          {bulkTexts.change}
        </Button>
        <Button variant="quiet" disabled={busy} onClick={() => void remove()}>
          {bulkTexts.remove}
        </Button>
      </div>
    </>
  )
}
