import type { SettingsReply } from '../../../../../shared/settings.ts'
import { useWarnOnLeaving } from '../../../../lib/warn-on-leaving.ts'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { LoadError } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { useSettings, useSettingsForm } from './api.ts'
import { consequencesOf, settingName, settingValue } from './setting-words.ts'
import { type SettingPath, type SettingValues, valuesOf } from './settings-draft.ts'
import { SettingsFields } from './settings-fields.tsx'
import { SavedState, SettingsSaveBar } from './settings-save-bar.tsx'

/** How the shop works with suppliers and messages. */
export function OperationSettings() {
  const { data, error, refetch } = useSettings()
  if (data) return <SettingsForm reply={data} stale={error} onRetry={() => void refetch()} />
  if (error) return <LoadError what="The settings" error={error} onRetry={() => void refetch()} />
  return (
    <Loading label="Loading the settings…">
      <div className="flex max-w-5xl flex-col gap-8">
        <Skeleton className="h-96" />
        <Skeleton className="h-56" />
        <Skeleton className="h-96" />
      </div>
    </Loading>
  )
}

function SettingsForm({ reply, stale, onRetry }: { reply: SettingsReply; stale: Error | null; onRetry: () => void }) {
  const form = useSettingsForm(reply, (paths, values) => askToSave(paths, values, valuesOf(reply.settings)))
  useWarnOnLeaving(() => form.changed.length > 0)

  return (
    <form {...form.props} aria-label="Settings" className="flex max-w-5xl flex-col gap-8 lg:gap-10">
      <div>
        <RefreshProblem error={stale} onRetry={onRetry} />
        <SavedState form={form} lastChange={reply.lastChange} />
      </div>
      <SettingsFields form={form} suppliers={reply.suppliers} />
      <SettingsSaveBar form={form} />
    </form>
  )
}

/** Asks for confirmation where the change has consequences. */
function askToSave(paths: readonly SettingPath[], values: SettingValues, stored: SettingValues): Promise<boolean> {
  const consequences = consequencesOf(paths, values)
  if (consequences.length === 0) return Promise.resolve(true)
  return confirmAction({
    question: 'Are you sure you want to save these settings?',
    title: 'Save settings',
    yes: 'Yes, save',
    details: (
      <>
        <dl className="flex flex-col gap-2 text-body">
          {paths.map((path) => (
            <div key={path} className="flex items-baseline justify-between gap-4">
              <dt className="min-w-0 text-muted">{settingName(path)}</dt>
              <dd className="shrink-0 text-right">
                <span className="text-muted line-through">{settingValue(path, stored[path])}</span>{' '}
                <span className="font-semibold">{settingValue(path, values[path])}</span>
              </dd>
            </div>
          ))}
        </dl>
        <ul className="mt-4 flex list-disc flex-col gap-1.5 rounded-box bg-pending-soft py-3 pr-4 pl-8 text-body text-pending">
          {consequences.map((consequence) => (
            <li key={consequence}>{consequence}</li>
          ))}
        </ul>
      </>
    ),
  })
}
