import { session, wipeAtSignOut } from '../../../../lib/session.ts'
import { createStore } from '../../../../lib/store.ts'
import type { PriceDraft, ProductDraft } from './price-draft.ts'

const KEY = 'unpublishedPrices'
const NO_DRAFT: PriceDraft = {}
const STEPS_KEPT = 100

/** New prices that are not published, kept while another screen is looked at and through a reload of this tab. */
export const unpublishedPrices = createStore<PriceDraft>(readKept())
let steps: PriceDraft[] = []

/** Replaces the draft of one product; `undoStep` takes it back. */
export function changeDraft(productId: string, draft: ProductDraft): void {
  const before = unpublishedPrices.get()
  steps = [...steps, before].slice(-STEPS_KEPT)
  keep(withProduct(before, productId, draft))
}

/** Forgets what was published or dropped; there is nothing to take back then. */
export function settleDraft(productId: string, draft: ProductDraft): void {
  steps = []
  keep(withProduct(unpublishedPrices.get(), productId, draft))
}

/** Takes back the last change of a draft; false when there is none. */
export function undoStep(): boolean {
  const before = steps.at(-1)
  if (!before) return false
  steps = steps.slice(0, -1)
  keep(before)
  return true
}

wipeAtSignOut(() => {
  steps = []
  keep(NO_DRAFT)
})

function withProduct(all: PriceDraft, productId: string, draft: ProductDraft): PriceDraft {
  const { [productId]: _, ...others } = all
  return Object.keys(draft.lines).length === 0 ? others : { ...others, [productId]: draft }
}

function keep(draft: PriceDraft): void {
  unpublishedPrices.set(draft)
  try {
    if (Object.keys(draft).length === 0) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, JSON.stringify({ user: session.get()?._id, draft }))
  } catch {
    // Storage is full or forbidden: the draft then lives as long as the page does.
  }
}

function readKept(): PriceDraft {
  try {
    const { user, draft } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as { user?: string; draft?: PriceDraft }
    return draft && user === session.get()?._id ? draft : NO_DRAFT
  } catch {
    return NO_DRAFT
  }
}
