import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { BulkSchedule } from '../../../../../shared/bulk.ts'
import { formatLongDate } from '../../../../../shared/dates.ts'
import { toCedis, toPesewas } from '../../../../../shared/money.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { messageOf } from '../../../../lib/http.ts'
import { session } from '../../../../lib/session.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { Button } from '../../../../ui/button.tsx'
import { moneyText } from '../../../../ui/money.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { toast } from '../../../../ui/toast.ts'
import { changeSchedule, deleteSchedule, schedulesQuery } from './api.ts'
import { startGroup } from './start-group.ts'

const SOON_MS = 3 * 86_400_000

/** What a schedule asks before anything is bought, and a warning in time where the wallet will not do. */
export function ScheduleQuestions() {
  const { data: schedules = [] } = useQuery(schedulesQuery)
  const balance = session.use()?.balance ?? 0
  const soon = schedules
    .filter(({ nextAt, isPaused, question }) => nextAt && !isPaused && !question && Date.parse(nextAt) < shopNow().getTime() + SOON_MS)
    .filter(({ most }) => most > balance)
  return (
    <>
      {schedules.map((schedule) => schedule.question && <Question key={schedule._id} schedule={schedule} question={schedule.question} />)}
      {schedules.map((schedule) => schedule.pausedWhy && <Paused key={schedule._id} schedule={schedule} why={schedule.pausedWhy} />)}
      {soon.map(({ _id, groupName, nextAt, most }) => (
        <NoticeBox
          key={_id}
          tone="pending"
          className="mb-3"
          title={bulkTexts.balanceWontDo(groupName, formatLongDate(new Date(nextAt ?? '')))}
        >
          {bulkTexts.topUpBefore(moneyText(toCedis(toPesewas(most) - toPesewas(balance))))}
        </NoticeBox>
      ))}
    </>
  )
}

/** The shop paused it, since whoever had the account may have planned it. */
function Paused({ schedule: { _id, groupName }, why }: { schedule: BulkSchedule; why: NonNullable<BulkSchedule['pausedWhy']> }) {
  const [busy, setBusy] = useState(false)
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
  return (
    <NoticeBox
      tone="pending"
      className="mb-3"
      title={bulkTexts.waitsForYou(groupName)}
      action={
        <span className="flex flex-wrap gap-2">
          <Button disabled={busy} onClick={() => void act(() => changeSchedule(_id, 'resume'))}>
            {bulkTexts.goOn}
            <span className="sr-only"> {groupName}</span>
          </Button>
          <Button variant="secondary" disabled={busy} onClick={() => void act(() => deleteSchedule(_id))}>
            {bulkTexts.remove}
            <span className="sr-only"> {groupName}</span>
          </Button>
        </span>
      }
    >
      {bulkTexts.whyItWaits(why)}
    </NoticeBox>
  )
}

function Question({ schedule, question }: { schedule: BulkSchedule; question: NonNullable<BulkSchedule['question']> }) {
  const [, navigate] = useLocation()
  const [busy, setBusy] = useState(false)
  const { groupId, groupName, most } = schedule
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
  const check = () =>
    act(async () => {
      if (await startGroup({ _id: groupId, name: groupName }, schedule)) navigate('/agent/bulk/check')
    })
  return (
    <NoticeBox
      tone="pending"
      className="mb-3"
      title={bulkTexts.notSent(groupName, formatLongDate(new Date(question.dueAt)))}
      action={
        <span className="flex flex-wrap gap-2">
          <Button disabled={busy} onClick={() => void check()}>
            {bulkTexts.checkNow}
            <span className="sr-only"> {groupName}</span>
          </Button>
          <Button variant="secondary" disabled={busy} onClick={() => void act(() => changeSchedule(schedule._id, 'skip'))}>
            {bulkTexts.skipThisTime}
            <span className="sr-only"> {groupName}</span>
          </Button>
        </span>
      }
    >
      {bulkTexts.whyNotSent(question.why, question.total === null ? null : moneyText(question.total), moneyText(most))}
    </NoticeBox>
  )
}
