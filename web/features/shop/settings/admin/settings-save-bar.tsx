import { CircleAlert, CircleCheck } from 'lucide-react'
import { formatDateTime } from '../../../../../shared/dates.ts'
import type { SettingsReply } from '../../../../../shared/settings.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { Button } from '../../../../ui/button.tsx'
import type { SettingsForm } from './api.ts'
import { settingName } from './setting-words.ts'

/** Whether what is shown is what is stored, and who changed that last. */
export function SavedState({ form, lastChange }: { form: SettingsForm; lastChange: SettingsReply['lastChange'] }) {
  const { changed } = form
  return (
    <p role="status" className="flex items-start gap-2 text-body text-muted">
      {changed.length === 0 ? (
        <CircleCheck className="mt-0.5 size-5 shrink-0 text-done" aria-hidden="true" />
      ) : (
        <CircleAlert className="mt-0.5 size-5 shrink-0 text-pending" aria-hidden="true" />
      )}
      <span>
        <span className="font-semibold text-ink">
          {changed.length === 0 ? 'Everything below is saved.' : `${counted(changed.length, 'change is', 'changes are')} not saved yet.`}
        </span>{' '}
        {lastChange && (
          <>
            Last changed by {lastChange.by} on <span className="tabular">{formatDateTime(new Date(lastChange.at))}</span>.
          </>
        )}
      </span>
    </p>
  )
}

/** While something is not saved: what is wrong with it, and the way to save or undo it, always in sight. */
export function SettingsSaveBar({ form }: { form: SettingsForm }) {
  const { changed, contested, errors, formError, busy } = form
  const wrong = changed.filter((path) => errors[path])
  if (changed.length === 0 && !formError) return null
  return (
    <div className="sticky bottom-[calc(4.5rem+env(safe-area-inset-bottom))] z-20 -mx-1 flex flex-col gap-2 rounded-box border border-line-strong bg-surface p-3 [box-shadow:var(--lift)] lg:bottom-4">
      {(wrong.length > 0 || formError) && (
        <div role="alert" className="flex gap-2 rounded-box bg-danger-soft px-3 py-2 text-body text-danger">
          <CircleAlert className="mt-0.5 size-5 shrink-0" aria-hidden="true" />
          <div className="min-w-0">
            {wrong.length > 0 ? (
              wrong.map((path) => (
                <p key={path}>
                  <span className="font-semibold">{settingName(path)}:</span> {errors[path]}
                </p>
              ))
            ) : (
              <p>{formError}</p>
            )}
          </div>
        </div>
      )}
      {changed.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <p className="min-w-0 flex-1 basis-52 pl-1">
            <span className="font-semibold">{counted(changed.length, 'unsaved change')}</span>
            {contested.length > 0 && <span className="text-pending">, {contested.length} also changed by another admin</span>}
          </p>
          <span className="grid grow grid-cols-2 gap-2 sm:flex sm:grow-0">
            <Button variant="secondary" disabled={busy} onClick={form.undo}>
              Undo
            </Button>
            <Button type="submit" busy={busy} busyLabel="Saving…">
              Save changes
            </Button>
          </span>
        </div>
      )}
    </div>
  )
}
