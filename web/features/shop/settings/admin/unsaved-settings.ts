import { wipeAtSignOut } from '../../../../lib/session.ts'
import { createStore } from '../../../../lib/store.ts'
import type { SettingsDraft } from './settings-draft.ts'

export const NO_DRAFT: SettingsDraft = {}

/** What was changed in the settings and not saved, kept while another screen is looked at. */
export const unsavedSettings = createStore<SettingsDraft>(NO_DRAFT)
wipeAtSignOut(() => unsavedSettings.set(NO_DRAFT))
