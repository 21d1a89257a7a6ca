/** Unfinished forms in this browser, per user. */
type Unfinished = {
  /** When something was added last, in milliseconds. */
  at: number
  forms?: Record<string, Draft>
  /** The user's stored entries when the session expired, by key. */
  stored?: Record<string, string>
  /** The screen that was open then. */
  path?: string
}
export type Draft = Record<string, string>

export const DRAFTS_KEY = 'unfinished'
const KEPT_MS = 30 * 24 * 3_600_000
const PEOPLE_KEPT = 8
/** Where a visitor's forms are kept: in the tab, since nobody knows who comes next. */
const VISITOR = 'visitor'

export function readDraft(userId: string | null, form: string): Draft | undefined {
  return of(userId)?.forms?.[form]
}

/** Null once the form was sent. */
export function writeDraft(userId: string | null, form: string, draft: Draft | null): void {
  const { [form]: _, ...others } = of(userId)?.forms ?? {}
  change(userId, { forms: draft ? { ...others, [form]: draft } : others })
}

/** Keeps what belongs to a user whose session ends without their asking for it. */
export function setAside(userId: string, stored: Record<string, string>, path: string): void {
  change(userId, { stored: { ...of(userId)?.stored, ...stored }, path })
}

/** Returns what was set aside for a user, and forgets it. */
export function takeBack(userId: string): Pick<Unfinished, 'stored' | 'path'> {
  const { stored, path } = of(userId) ?? {}
  if (!stored && !path) return {}
  change(userId, { stored: undefined, path: undefined })
  return { ...(stored && { stored }), ...(path && { path }) }
}

export function forgetDrafts(userId: string | null): void {
  change(userId, null)
}

function of(userId: string | null): Unfinished | undefined {
  return readAll(userId)[userId ?? VISITOR]
}

function change(userId: string | null, changes: { [Name in keyof Unfinished]?: Unfinished[Name] | undefined } | null): void {
  const { [userId ?? VISITOR]: before, ...others } = readAll(userId)
  const after = changes && { ...before, ...changes, at: Date.now() }
  const isEmpty = !after || (!after.stored && !after.path && Object.keys(after.forms ?? {}).length === 0)
  const recent = Object.entries(others)
    .filter(([, { at }]) => at > Date.now() - KEPT_MS)
    .sort(([, one], [, other]) => other.at - one.at)
    .slice(0, PEOPLE_KEPT - 1)
  const all = { ...Object.fromEntries(recent), ...(isEmpty ? {} : { [userId ?? VISITOR]: after }) }
  try {
    if (Object.keys(all).length === 0) storageOf(userId).removeItem(DRAFTS_KEY)
    else storageOf(userId).setItem(DRAFTS_KEY, JSON.stringify(all))
  } catch {
    // Storage is full or forbidden, so nothing is kept.
  }
}

/** Read anew each time, since another tab may have added to it. */
function readAll(userId: string | null): Record<string, Unfinished> {
  try {
    const all: unknown = JSON.parse(storageOf(userId).getItem(DRAFTS_KEY) ?? '{}')
    return typeof all === 'object' && all !== null ? (all as Record<string, Unfinished>) : {}
  } catch {
    return {}
  }
}

function storageOf(userId: string | null): Storage {
  return userId === null ? sessionStorage : localStorage
}
