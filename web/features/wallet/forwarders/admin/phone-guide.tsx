import { Copy } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Forwarder } from '../../../../../shared/forwarders.ts'
import { copyText } from '../../../../lib/copy-text.ts'
import { Button } from '../../../../ui/button.tsx'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import { toast } from '../../../../ui/toast.ts'
import { APP_WORDS } from './phone-words.ts'

/** How to set the app up on the phone. `secret` is the key while it may be shown. */
export function PhoneGuide({ forwarder: { _id, app }, secret }: { forwarder: Forwarder; secret: string | null }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // A key is shown once: whoever asked for it is led to it, wherever the button was.
  useEffect(() => {
    if (secret !== null) heading.current?.focus()
  }, [secret])
  const url = `${location.origin}/api/forwarder/${_id}/message`
  const copyKey = async () => {
    // The message never repeats the key: it would stand on the screen longer than it should.
    if (secret !== null && (await copyText(secret))) toast.info('Copied')
    else toast.danger('We couldn’t copy it. Type it into the phone.')
  }
  return (
    <div className="flex flex-col gap-3">
      {secret !== null && (
        <h3 ref={heading} tabIndex={-1} className="scroll-mt-40 text-body font-semibold outline-none">
          Now set up the phone
        </h3>
      )}
      <ol className="list-decimal space-y-1.5 pl-5 text-body">
        {APP_WORDS[app].steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <div>
        <p className="text-small text-muted">Address</p>
        <CopyButton text={url} label={`${url}, copy the address`}>
          <code className="font-mono text-small wrap-anywhere">{url}</code>
        </CopyButton>
      </div>
      {secret === null ? (
        <p className="text-small text-muted">The key was shown once. If you don’t have it any more, make a new one.</p>
      ) : (
        <div>
          <p className="text-small text-muted">Key</p>
          <code className="my-1 block rounded-box bg-sunken px-3 py-2.5 font-mono text-body wrap-anywhere">{secret}</code>
          <p className="mb-2 text-small text-muted">Put it into the phone now: we can’t show it again.</p>
          <Button variant="secondary" icon={<Copy className="size-5" aria-hidden="true" />} onClick={() => void copyKey()}>
            Copy the key
          </Button>
        </div>
      )}
    </div>
  )
}
