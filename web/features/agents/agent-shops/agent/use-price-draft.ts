import { useState } from 'react'
import { readDraft, writeDraft } from '../../../../lib/drafts.ts'
import { session } from '../../../../lib/session.ts'
import type { PriceDraft } from './price-draft.ts'

/** What was typed into a price list and not saved, kept in this browser under `form` until it is. */
export function usePriceDraft(form: string): { draft: PriceDraft; keep: (next: PriceDraft) => void } {
  const [draft, setDraft] = useState<PriceDraft>(() => read(form))
  const keep = (next: PriceDraft) => {
    setDraft(next)
    writeDraft(userId(), form, Object.keys(next).length > 0 ? { prices: JSON.stringify(next) } : null)
  }
  return { draft, keep }
}

function read(form: string): PriceDraft {
  try {
    return JSON.parse(readDraft(userId(), form)?.prices ?? '{}') as PriceDraft
  } catch {
    return {}
  }
}

function userId(): string | null {
  return session.get()?._id ?? null
}
