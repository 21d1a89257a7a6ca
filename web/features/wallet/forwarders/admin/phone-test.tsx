import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Forwarder } from '../../../../../shared/forwarders.ts'
import { Button } from '../../../../ui/button.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { Spinner } from '../../../../ui/spinner.tsx'
import { forwardersQuery } from './api.ts'

const LOOK_EVERY_MS = 2_000
const WAIT_MS = 3 * 60_000

/** Waits for the phone's next word and says whether it could be read, so that its owner knows at once that the set-up is right. */
export function PhoneTest({ forwarder: { seenAt, problem } }: { forwarder: Forwarder }) {
  const [since, setSince] = useState<{ seenAt: string | null; problem: string | null } | null>(null)
  const [isOver, setOver] = useState(false)
  // A call that was refused says what is wrong, and doesn't count as hearing of the phone.
  const isHeard = since !== null && (seenAt !== since.seenAt || (problem !== null && problem !== since.problem))
  const isWaiting = since !== null && !isHeard && !isOver
  useQuery({ ...forwardersQuery, refetchInterval: LOOK_EVERY_MS, enabled: isWaiting })
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setOver(true), WAIT_MS)
    return () => clearTimeout(timer)
  }, [isWaiting])
  const begin = () => {
    setOver(false)
    setSince({ seenAt, problem })
  }
  return (
    <div className="flex flex-col items-start gap-2" aria-live="polite">
      {!isWaiting && (
        <Button variant="secondary" onClick={begin}>
          {since === null ? 'Test it' : 'Test it again'}
        </Button>
      )}
      {isWaiting && (
        <p className="flex items-center gap-2 text-body">
          <Spinner className="size-5" /> Send any SMS to the phone now, or press the app’s own test. We are listening…
        </p>
      )}
      {isHeard && problem === null && <NoticeBox tone="done">We heard it just now. The address and the key are right.</NoticeBox>}
      {isHeard && problem !== null && <NoticeBox tone="danger">It reached us, but: {problem}</NoticeBox>}
      {isOver && !isHeard && (
        <NoticeBox tone="danger">
          Nothing came in three minutes. Is the phone online? Are address and key exactly as shown, and may the app read SMS? With a wrong
          key we can’t tell which phone called.
        </NoticeBox>
      )}
    </div>
  )
}
