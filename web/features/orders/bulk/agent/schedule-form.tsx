import type { BulkGroup, BulkSchedule, ScheduleRequest } from '../../../../../shared/bulk.ts'
import { isoDay } from '../../../../../shared/dates.ts'
import { toCedis } from '../../../../../shared/money.ts'
import { pesewasIn } from '../../../../../shared/readers/read-amount.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { useForm } from '../../../../lib/use-form.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { Answers } from '../../../../ui/answers.tsx'
import { Field, SelectField } from '../../../../ui/field.tsx'
import { moneyText } from '../../../../ui/money.tsx'
import { MoneyField } from '../../../../ui/money-field.tsx'
import { toast } from '../../../../ui/toast.ts'
import { saveSchedule } from './api.ts'
import { ordinal } from './when-words.ts'

type Values = { repeats: string; day: string; weekday: string; monthDay: string; time: string; most: string }
type Props = { group: BulkGroup; schedule: BulkSchedule | null /** What the group costs now. */; cedis: number; onClose: () => void }

const DAYS = Array.from({ length: 31 }, (_, index) => index + 1)

/** When a group is sent by itself, and what it may cost. */
export function ScheduleForm({ group, schedule, cedis, onClose }: Props) {
  const form = useForm<Values, ScheduleRequest>({
    initial: {
      repeats: schedule?.repeats ?? 'monthly',
      day: schedule?.day ?? '',
      weekday: `${schedule?.weekday ?? 1}`,
      monthDay: `${schedule?.monthDay ?? 1}`,
      time: schedule?.time ?? '08:00',
      most: (schedule?.most ?? cedis).toFixed(2),
    },
    parse: (values) => toRequest(values, group._id),
    submit: async (request) => {
      await saveSchedule(schedule?._id ?? null, request)
      toast.success(bulkTexts.timeSaved)
      onClose()
    },
  })
  const { repeats, most, ...values } = form.values
  return (
    <form {...form.props} className="flex flex-col gap-3">
      <SelectField
        label={bulkTexts.repeats}
        name="repeats"
        value={repeats}
        onChange={(event) => form.setValue('repeats', event.currentTarget.value)}
      >
        <option value="monthly">{bulkTexts.monthly}</option>
        <option value="weekly">{bulkTexts.weekly}</option>
        <option value="once">{bulkTexts.once}</option>
      </SelectField>
      {repeats === 'monthly' && (
        <SelectField
          label={bulkTexts.dayOfMonth}
          name="monthDay"
          hint={Number(values.monthDay) > 28 ? bulkTexts.dayOfMonthHint : undefined}
          value={values.monthDay}
          onChange={(event) => form.setValue('monthDay', event.currentTarget.value)}
        >
          {DAYS.map((day) => (
            <option key={day} value={day}>
              {bulkTexts.theDay(ordinal(day))}
            </option>
          ))}
        </SelectField>
      )}
      {repeats === 'weekly' && (
        <SelectField
          label={bulkTexts.dayOfWeek}
          name="weekday"
          value={values.weekday}
          onChange={(event) => form.setValue('weekday', event.currentTarget.value)}
        >
          {bulkTexts.weekdays.map((day, index) => (
            <option key={day} value={index + 1}>
              {day}
            </option>
          ))}
        </SelectField>
      )}
      {repeats === 'once' && <Field {...form.field('day')} label={bulkTexts.date} type="date" min={isoDay(shopNow())} />}
      <Field {...form.field('time')} label={bulkTexts.time} type="time" />
      <MoneyField
        label={bulkTexts.most}
        name="most"
        hint={bulkTexts.mostHint(moneyText(cedis))}
        error={form.errors.most}
        value={most}
        onValue={(text) => form.setValue('most', text)}
      />
      {form.formError && (
        <p role="alert" className="text-body text-danger">
          {form.formError}
        </p>
      )}
      <Answers yes={{ type: 'submit', busy: form.busy, children: bulkTexts.saveTime }} no={{ disabled: form.busy, onClick: onClose }} />
    </form>
  )
}

function toRequest({ repeats, day, weekday, monthDay, time, most }: Values, groupId: string) {
  const pesewas = pesewasIn(most)
  if (pesewas === null || pesewas <= 0) return { errors: { most: bulkTexts.chooseMost } }
  if (repeats === 'once' && day === '') return { errors: { day: bulkTexts.chooseDate } }
  const output: ScheduleRequest = {
    groupId,
    repeats: repeats as ScheduleRequest['repeats'],
    day: repeats === 'once' ? day : null,
    weekday: repeats === 'weekly' ? Number(weekday) : null,
    monthDay: repeats === 'monthly' ? Number(monthDay) : null,
    time: time.slice(0, 5),
    most: toCedis(pesewas),
  }
  return { output }
}
