import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ChangeSettingsRequest, SettingsReply } from '../../../../shared/settings.ts'
import { call } from '../../../lib/api.ts'
import { isOutcomeUnknown, messageOf, RefusedError } from '../../../lib/http.ts'
import { toast } from '../../../ui/toast.ts'
import {
  changedPaths,
  contestedPaths,
  draftOf,
  draftWith,
  errorsByPath,
  readChange,
  type SettingErrors,
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

/** The form over what is stored: what was changed in it, what is wrong, what another admin has changed besides, and saving. */
export function useSettingsForm(reply: SettingsReply) {
  const client = useQueryClient()
  const draft = unsavedSettings.use()
  const [errors, setErrors] = useState<SettingErrors>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [saving, setSaving] = useState(false)
  const busy = useRef(false)
  const stored = valuesOf(reply.settings)
  const values = withDraft(stored, draft)
  const changed = changedPaths(stored, draft)

  // What another admin has set to the same meanwhile is no change any more.
  const isOutdated = Object.keys(draft).length > changed.length
  useEffect(() => {
    if (isOutdated) unsavedSettings.set(draftOf(changed, draft))
  })

  const set = (path: SettingPath, value: string | boolean) => {
    unsavedSettings.set(draftWith(stored, unsavedSettings.get(), path, value))
    setErrors(({ [path]: _, ...others }) => others)
    setProblem(null)
  }

  const undo = () => {
    unsavedSettings.set(NO_DRAFT)
    setErrors({})
    setProblem(null)
  }

  const refuse = (found: SettingErrors) => {
    setErrors(found)
    const first = Object.keys(values).find((path) => found[path as SettingPath])
    if (first) queueMicrotask(() => document.querySelector<HTMLElement>(`#settings [name="${CSS.escape(first)}"]`)?.focus())
  }

  /** Saves what was changed; `confirm` is asked first, with what it is. */
  const save = async (confirm: (paths: readonly SettingPath[], values: SettingValues) => Promise<boolean>) => {
    if (busy.current || changed.length === 0) return
    const { change, errors: found } = readChange(stored, draft)
    setProblem(null)
    if (found) return refuse(found)
    busy.current = true
    try {
      if (await confirm(changed, values)) await send(change)
    } finally {
      busy.current = false
    }
  }

  const send = async (change: ChangeSettingsRequest) => {
    setSaving(true)
    try {
      await client.cancelQueries({ queryKey: ['settings'] })
      client.setQueryData(settingsQuery().queryKey, await call('PUT /admin/settings', { body: change }))
      unsavedSettings.set(NO_DRAFT)
      toast.success('Settings saved')
      void client.invalidateQueries({ queryKey: ['admin-actions'] })
    } catch (error) {
      if (error instanceof RefusedError && error.status === 400) refuse(errorsByPath(error.issues))
      setProblem(isOutcomeUnknown(error) ? `${messageOf(error)} What is stored is shown as soon as it can be read.` : messageOf(error))
    } finally {
      setSaving(false)
      void client.invalidateQueries({ queryKey: ['settings'] })
    }
  }

  return {
    values,
    stored,
    errors,
    problem,
    saving,
    changed,
    contested: contestedPaths(stored, draft),
    set,
    undo,
    save,
  }
}
export type SettingsForm = ReturnType<typeof useSettingsForm>
