import { dismissJobRequest, type FailedJob, MAX_DISMISS_REASON } from '../../../../../shared/jobs.ts'
import { useForm } from '../../../../lib/use-form.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { TextareaField } from '../../../../ui/field.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { useDismissJob } from './api.ts'
import { JobOrder } from './job-order.tsx'
import { dismissConsequence, jobWords } from './job-words.ts'

const FORM = 'dismiss-job'

/** Confirms the dismissal of a job: says what will not happen, and asks for a reason. */
export function DismissJobDialog({ job, onClose }: { job: FailedJob; onClose: () => void }) {
  const dismiss = useDismissJob()
  const form = useForm({
    initial: { reason: '' },
    schema: dismissJobRequest,
    submit: async ({ reason }) => {
      await dismiss(job._id, reason)
      onClose()
    },
  })
  return (
    <Dialog
      role="alertdialog"
      title="Dismiss this job"
      onClose={onClose}
      yes={{ type: 'submit', form: FORM, variant: 'danger', busy: form.busy, busyLabel: 'One moment…', children: 'Yes, dismiss it' }}
    >
      <p className="text-large">Are you sure you want to leave this undone for good?</p>
      <div className="mt-4 flex flex-col gap-2 rounded-box bg-sunken px-3 py-2">
        <p className="font-semibold">{jobWords(job)}</p>
        {job.order && <JobOrder order={job.order} />}
      </div>
      <p className="mt-3 break-words">{dismissConsequence(job)}</p>
      <form id={FORM} {...form.props} className="mt-4 flex flex-col gap-3">
        {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
        <TextareaField
          label="Why is it safe to leave this undone?"
          hint="Every admin can read it under Activity."
          rows={2}
          maxLength={MAX_DISMISS_REASON}
          {...form.field('reason')}
        />
      </form>
    </Dialog>
  )
}
