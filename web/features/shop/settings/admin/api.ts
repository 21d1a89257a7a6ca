import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { changeSettingsRequest, type SettingsReply } from '../../../../../shared/settings.ts'
import { call } from '../../../../lib/api.ts'
import { isOutcomeUnknown } from '../../../../lib/http.ts'
import { useForm } from '../../../../lib/use-form.ts'
import { toast } from '../../../../ui/toast.ts'
import {
  changedPaths,
  contestedPaths,
  draftOf,
  draftWith,
  requestOf,
  type SettingPath,
  type SettingValues,
  valuesOf,
  withDraft,
} from './settings-draft.ts'
import { NO_DRAFT, unsavedSettings } from './unsaved-settings.ts'

/** How soon what another admin changes is seen. */
const EVERY_MS = 10_000

export function settingsQuery() {
  return queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => call('GET /admin/settings', { signal }),
  })
}

/** What is stored, always fresh. */
export function useSettings() {
  return useQuery({ ...settingsQuery(), refetchInterval: EVERY_MS, staleTime: 0 })
}

type Confirm = (paths: readonly SettingPath[], values: SettingValues) => Promise<boolean>

/** The form over what is stored: what was changed in it, what is wrong, what another admin has changed besides, and saving. */
export function useSettingsForm(reply: SettingsReply, confirm: Confirm) {
  const client = useQueryClient()
  const draft = unsavedSettings.use()
  const stored = valuesOf(reply.settings)
  const values = withDraft(stored, draft)
  const changed = changedPaths(stored, draft)

  // What another admin has set to the same meanwhile is no change any more.
  const isOutdated = Object.keys(draft).length > changed.length
  useEffect(() => {
    if (isOutdated) unsavedSettings.set(draftOf(changed, draft))
  })

  const form = useForm({
    initial: stored,
    held: {
      values,
      set: (path, value) => unsavedSettings.set(draftWith(stored, unsavedSettings.get(), path, value as string | boolean)),
    },
    schema: changeSettingsRequest,
    read: () => requestOf(stored, draft),
    confirm: () => confirm(changed, values),
    submit: async (change) => {
      await client.cancelQueries({ queryKey: ['settings'] })
      try {
        client.setQueryData(settingsQuery().queryKey, await call('PUT /admin/settings', { body: change }))
      } finally {
        void client.invalidateQueries({ queryKey: ['settings'] })
      }
      unsavedSettings.set(NO_DRAFT)
      toast.success('Settings saved')
      void client.invalidateQueries({ queryKey: ['admin-actions'] })
    },
    onRefused: (message, error) =>
      form.setFormError(isOutcomeUnknown(error) ? `${message} We’ll show what is saved as soon as we reach the shop.` : message),
  })

  const undo = () => {
    unsavedSettings.set(NO_DRAFT)
    form.reset()
  }

  return { ...form, stored, changed, contested: contestedPaths(stored, draft), undo }
}
export type SettingsForm = ReturnType<typeof useSettingsForm>
