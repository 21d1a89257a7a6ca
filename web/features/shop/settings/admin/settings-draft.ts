import { NETWORKS, type Network } from '../../../../../shared/networks.ts'
import type { Settings } from '../../../../../shared/settings.ts'

/** The name of one setting, as the server names it when something is wrong with it. */
export type SettingPath = `routes.${Network}` | Exclude<keyof Settings, 'routes'>
/** As the fields hold them: numbers as typed, no number of the operator's own as ''. */
export type SettingValues = Record<SettingPath, string | boolean>
/** What an admin has changed and not saved yet, with what it was when they began to. */
export type SettingsDraft = Partial<Record<SettingPath, { value: string | boolean; from: string | boolean }>>

const NUMBERS = [
  'smsDailyCap',
  'smsDigestAbove',
  'topUpMinimum',
  'topUpMaximum',
  'topUpDaily',
  'topUpHoldHours',
  'marginLinePercent',
] as const satisfies SettingPath[]

export function valuesOf({ routes, ...rest }: Settings): SettingValues {
  const numbers = Object.fromEntries(NUMBERS.map((path) => [path, String(rest[path])])) as Record<(typeof NUMBERS)[number], string>
  return {
    ...(Object.fromEntries(NETWORKS.map((network) => [`routes.${network}`, routes[network]])) as Record<`routes.${Network}`, string>),
    ...rest,
    ...numbers,
    operatorPhone: rest.operatorPhone ?? '',
  }
}

/** What the fields show: what is stored, with what was changed over it. */
export function withDraft(stored: SettingValues, draft: SettingsDraft): SettingValues {
  const changes = Object.entries(draft).map(([path, change]) => [path, change.value])
  return { ...stored, ...Object.fromEntries(changes) } as SettingValues
}

/** The settings that differ from what is stored, in the order of the form. */
export function changedPaths(stored: SettingValues, draft: SettingsDraft): SettingPath[] {
  return pathsOf(stored).filter((path) => {
    const change = draft[path]
    return change !== undefined && !isSame(path, change.value, stored[path])
  })
}

/** Of these, the ones that somebody else has changed since they were touched here. */
export function contestedPaths(stored: SettingValues, draft: SettingsDraft): SettingPath[] {
  return changedPaths(stored, draft).filter((path) => draft[path]?.from !== stored[path])
}

/** The draft with these changes alone. */
export function draftOf(paths: readonly SettingPath[], draft: SettingsDraft): SettingsDraft {
  return Object.fromEntries(paths.map((path) => [path, draft[path]])) as SettingsDraft
}

/** The draft with one more change, or without it if the value is the stored one. */
export function draftWith(stored: SettingValues, draft: SettingsDraft, path: SettingPath, value: string | boolean): SettingsDraft {
  const { [path]: earlier, ...others } = draft
  const next: SettingsDraft = others
  if (!isSame(path, value, stored[path])) next[path] = { value, from: earlier?.from ?? stored[path] }
  return next
}

/** What was changed, to be sent. `seen` is what was stored when it was decided on. */
export function requestOf(stored: SettingValues, draft: SettingsDraft): unknown {
  const paths = changedPaths(stored, draft)
  return { ...asRequest(withDraft(stored, draft), paths), seen: asRequest(stored, paths) }
}

function asRequest(values: SettingValues, paths: readonly SettingPath[]): Record<string, unknown> {
  const request: Record<string, unknown> = {}
  const routes: Record<string, unknown> = {}
  for (const path of paths) {
    if (path.startsWith('routes.')) routes[path.slice('routes.'.length)] = values[path]
    else request[path] = asStored(path, values[path])
  }
  return Object.keys(routes).length > 0 ? { ...request, routes } : request
}

function asStored(path: SettingPath, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value
  const text = value.trim()
  if (NUMBERS.some((number) => number === path)) return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return text === '' ? null : text
}

/** "0500" equals 500; text that is not a number only equals itself. */
function isSame(path: SettingPath, one: string | boolean, other: string | boolean): boolean {
  return Object.is(asStored(path, one), asStored(path, other))
}

function pathsOf(values: SettingValues): SettingPath[] {
  return Object.keys(values) as SettingPath[]
}
