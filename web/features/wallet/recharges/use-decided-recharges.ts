import { useEffect, useEffectEvent, useState } from 'react'
import type { Recharge } from '../../../../shared/recharges.ts'
import { readDraft, writeDraft } from '../../../lib/drafts.ts'
import { session } from '../../../lib/session.ts'

/** The draft that names the requests which were seen waiting, so that their end is told after a reload too. */
const WAITING = 'waiting requests'

/** Requests of which this user has seen that they wait and not yet what became of them; with how to dismiss one. */
export function useDecidedRecharges(recharges: readonly Recharge[] | undefined) {
  const userId = session.use()?._id ?? null
  const [seen, setSeen] = useState<readonly string[]>(() => readDraft(userId, WAITING)?.ids?.split(' ') ?? [])
  const keep = (ids: readonly string[]) => {
    setSeen(ids)
    writeDraft(userId, WAITING, ids.length > 0 ? { ids: ids.join(' ') } : null)
  }
  const fresh = (recharges ?? [])
    .filter(({ _id, status }) => status === 'pending' && !seen.includes(_id))
    .map(({ _id }) => _id)
    .join(' ')
  const noteFresh = useEffectEvent(() => fresh && keep([...seen, ...fresh.split(' ')]))
  useEffect(() => void noteFresh())
  return {
    decided: (recharges ?? []).filter(({ _id, status }) => status !== 'pending' && seen.includes(_id)),
    dismiss: ({ _id }: Recharge) => keep(seen.filter((id) => id !== _id)),
  }
}
