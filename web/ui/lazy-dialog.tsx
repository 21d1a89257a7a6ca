import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { holdBack } from '../lib/dialog-history.ts'
import { type Trouble, tellTrouble } from '../lib/fetch-code.ts'
import { messageTexts } from '../texts/messages.ts'
import { Button } from './button.tsx'
import { NoticeBox } from './notice-box.tsx'

/** A dialog whose code is fetched when it opens. If that fails, it says so and offers to try again. */
export function lazyDialog<Props extends { onClose: () => void }>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let ready: ComponentType<Props> | null = null
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each dialog, outside any component.
  return function LazyDialog(props: Props) {
    const [Shown, setShown] = useState(() => ready)
    const [failed, setFailed] = useState<Trouble | null>(null)
    const [trying, setTrying] = useState(true)
    // biome-ignore lint/correctness/useExhaustiveDependencies: where the code comes from never changes.
    useEffect(() => {
      if (!trying || Shown) return
      let gone = false
      load().then(
        (code) => {
          ready = code.default
          if (!gone) setShown(() => code.default)
        },
        (error: unknown) => {
          if (gone) return
          setFailed(tellTrouble(error))
          setTrying(false)
        },
      )
      return () => {
        gone = true
      }
    }, [trying])
    const close = useEffectEvent(() => props.onClose())
    useEffect(() => (Shown ? undefined : holdBack(() => close())), [Shown])
    if (Shown) return <Shown {...props} />
    if (!failed) return null
    const retry = () => (failed === 'renewed' ? window.location.reload() : setTrying(true))
    return <NotFetched trouble={failed} trying={trying} onRetry={retry} onClose={props.onClose} />
  }
}

function NotFetched({
  trouble,
  trying,
  onRetry,
  onClose,
}: {
  trouble: Trouble
  trying: boolean
  onRetry: () => void
  onClose: () => void
}) {
  // In the body, since a menu that closes behind it would hide it too.
  return createPortal(
    <div className="fixed inset-x-4 bottom-20 z-30 mx-auto max-w-lg rounded-box border border-line bg-surface [box-shadow:var(--lift)]">
      <NoticeBox
        tone="danger"
        title={messageTexts.couldNotOpen}
        action={
          <span className="flex gap-2">
            <Button variant="danger" busy={trying} onClick={onRetry}>
              {messageTexts.tryAgain}
            </Button>
            <Button variant="quiet" onClick={onClose}>
              {messageTexts.close}
            </Button>
          </span>
        }
      >
        {messageTexts.trouble[trouble]}
      </NoticeBox>
    </div>,
    document.body,
  )
}
