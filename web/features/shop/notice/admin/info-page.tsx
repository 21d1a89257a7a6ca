import '../../../../lib/admin/configure-schemas.ts'
import { useState } from 'react'
import { momoDetailsRequest, type Notice, noticeRequest } from '../../../../../shared/notice.ts'
import { spacedPhone } from '../../../../../shared/phones.ts'
import { call } from '../../../../lib/api.ts'
import { messageOf } from '../../../../lib/http.ts'
import { QueryProvider } from '../../../../lib/query-provider.tsx'
import { useForm } from '../../../../lib/use-form.ts'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Field, TextareaField } from '../../../../ui/field.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { Card, Page } from '../../../../ui/page.tsx'
import { PageHeader } from '../../../../ui/page-header.tsx'
import { PhoneField } from '../../../../ui/phone-field.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { withPassword } from '../../../../ui/with-password.tsx'
import { setNotice, useNotice } from '../api.ts'
import NoticeDialog from '../notice-dialog.tsx'

const SAVED = 'Notice message updated successfully'

export default function InfoPage() {
  return (
    <QueryProvider>
      <NoticeAndPaymentDetails />
    </QueryProvider>
  )
}

/** What every customer is told, and where they send mobile money. */
function NoticeAndPaymentDetails() {
  const { data, error, refetch } = useNotice()
  return (
    <Page width="reading">
      <PageHeader title="Notice and payment details" />
      {data ? (
        <div className="flex flex-col gap-6">
          <NoticeForm stored={data} />
          <MomoForm stored={data} />
        </div>
      ) : error ? (
        <LoadError what="The notice" error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading label="Loading the notice…">
          <div className="flex flex-col gap-6">
            <Skeleton className="h-80" />
            <Skeleton className="h-64" />
          </div>
        </Loading>
      )}
    </Page>
  )
}

function NoticeForm({ stored }: { stored: Notice }) {
  const [previewing, setPreviewing] = useState(false)
  const form = useForm({
    initial: { noticeContent: stored.noticeContent },
    draft: { form: 'notice', fields: ['noticeContent'] },
    schema: noticeRequest,
    submit: async (body) => {
      setNotice(await call('PUT /extra/notice', { body }))
      toast.success(SAVED)
    },
    onRefused: tellFailure,
  })
  const theirs = useMeanwhile(stored.noticeContent, form.values.noticeContent.trim(), (text) => form.setValue('noticeContent', text))
  return (
    <Card className="p-4 sm:p-5">
      <h2 className="text-title">Notice</h2>
      <form {...form.props} className="mt-4 flex flex-col gap-4">
        {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
        {theirs ? (
          <Meanwhile onTake={theirs} />
        ) : (
          form.values.noticeContent.trim() !== stored.noticeContent.trim() && <Unsaved onDrop={form.reset} />
        )}
        <TextareaField
          label="Notice text"
          hint="Customers see it when they open the store. Leave it empty to show none."
          rows={8}
          {...form.field('noticeContent')}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" busy={form.busy} busyLabel="Saving…">
            Save notice
          </Button>
          <Button variant="secondary" disabled={form.values.noticeContent.trim() === ''} onClick={() => setPreviewing(true)}>
            Preview notice
          </Button>
        </div>
      </form>
      {previewing && <NoticeDialog text={form.values.noticeContent.trim()} onClose={() => setPreviewing(false)} />}
    </Card>
  )
}

function MomoForm({ stored }: { stored: Notice }) {
  const { momoPhoneNumber, momoAccountName } = stored
  const form = useForm({
    initial: { momoPhoneNumber, momoAccountName },
    draft: { form: 'momo details', fields: ['momoPhoneNumber', 'momoAccountName'] },
    schema: momoDetailsRequest,
    confirm: async (body) => body.momoPhoneNumber === momoPhoneNumber || (await askToChangeNumber(stored, body)),
    submit: async (body) => {
      setNotice(await withPassword(() => call('PUT /extra/momo-details', { body })))
      toast.success(SAVED)
    },
    onRefused: tellFailure,
  })
  const theirs = useMeanwhile(
    JSON.stringify([momoPhoneNumber, momoAccountName]),
    JSON.stringify([form.values.momoPhoneNumber, form.values.momoAccountName.trim()]),
    () => {
      form.setValue('momoPhoneNumber', momoPhoneNumber)
      form.setValue('momoAccountName', momoAccountName)
    },
  )
  return (
    <Card className="p-4 sm:p-5">
      <h2 className="text-title">Mobile-money details</h2>
      <p className="mt-1 text-muted">Customers send their money here when they recharge their wallet.</p>
      <form {...form.props} className="mt-4 flex flex-col gap-4">
        {form.formError && <NoticeBox tone="danger">{form.formError}</NoticeBox>}
        {theirs ? (
          <Meanwhile onTake={theirs} />
        ) : (
          (form.values.momoPhoneNumber !== momoPhoneNumber || form.values.momoAccountName.trim() !== momoAccountName.trim()) && (
            <Unsaved onDrop={form.reset} />
          )
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          <PhoneField label="Mobile-money phone number" autoComplete="off" {...form.phoneField('momoPhoneNumber')} />
          <Field label="Account name" autoComplete="off" {...form.field('momoAccountName')} />
        </div>
        <div>
          <Button type="submit" busy={form.busy} busyLabel="Saving…">
            Save payment details
          </Button>
        </div>
      </form>
    </Card>
  )
}

type MomoDetails = Pick<Notice, 'momoPhoneNumber' | 'momoAccountName'>

/** Confirms a new number: one wrong digit sends every customer's money to somebody else. */
function askToChangeNumber(now: MomoDetails, next: MomoDetails): Promise<boolean> {
  return confirmAction({
    question: `Send all mobile money to ${spacedPhone(next.momoPhoneNumber)} from now on?`,
    title: 'Change the mobile-money number',
    yes: 'Yes, change it',
    details: (
      <div className="grid grid-cols-2 gap-3">
        <Destination name="Now" details={now} />
        <Destination name="New" details={next} isNew />
      </div>
    ),
  })
}

function Destination({ name, details, isNew = false }: { name: string; details: MomoDetails; isNew?: boolean }) {
  return (
    <div className={classNames('min-w-0 rounded-box border p-3', isNew ? 'border-brand-text' : 'border-line bg-sunken')}>
      <p className="text-small text-muted">{name}</p>
      <p className="tabular text-large font-semibold whitespace-nowrap">{spacedPhone(details.momoPhoneNumber) || 'None'}</p>
      <p className="break-words">{details.momoAccountName}</p>
    </div>
  )
}

function tellFailure(_message: string, error: unknown): void {
  toast.danger(`Error updating notice content: ${messageOf(error)}`)
}

/**
 * What is stored may change while it is edited. A form that nobody has touched follows; one that somebody works on keeps
 * what they typed and offers to take over what was stored.
 */
function useMeanwhile(stored: string, typed: string, take: (stored: string) => void): (() => void) | null {
  const [known, setKnown] = useState(stored)
  if (stored === known) return null
  const accept = () => {
    setKnown(stored)
    take(stored)
  }
  if (typed === stored) setKnown(stored)
  else if (typed === known) accept()
  else return accept
  return null
}

/** Kept in this browser until it is saved, also through a reload. */
function Unsaved({ onDrop }: { onDrop: () => void }) {
  return (
    <NoticeBox
      tone="pending"
      title="Not saved yet."
      action={
        <button type="button" onClick={onDrop} className="min-h-11 rounded-box px-3 font-semibold underline underline-offset-4">
          Drop my changes
        </button>
      }
    >
      Customers still see the earlier one. We keep yours here until you save it.
    </NoticeBox>
  )
}

function Meanwhile({ onTake }: { onTake: () => void }) {
  return (
    <NoticeBox
      tone="pending"
      title="Somebody has changed this meanwhile."
      action={
        <button type="button" onClick={onTake} className="min-h-11 rounded-box px-3 font-semibold underline underline-offset-4">
          Show theirs
        </button>
      }
    >
      Saving replaces their changes with yours.
    </NoticeBox>
  )
}
