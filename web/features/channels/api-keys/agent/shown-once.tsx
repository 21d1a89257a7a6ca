import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { copyText } from '../../../../lib/copy-text.ts'
import { developerTexts } from '../../../../texts/developer.ts'
import { Button } from '../../../../ui/button.tsx'
import { toast } from '../../../../ui/toast.ts'

type Props = { title: ReactNode; secret: string; copy: string; hint?: string; onSaved: () => void }

/** A key or secret that the shop cannot show again. It stays until the agent says that it is saved. */
export function ShownOnce({ title, secret, copy, hint = developerTexts.copyNow, onSaved }: Props) {
  const copyIt = async () => {
    // The message never repeats the secret: it would stand on the screen longer than it should.
    if (await copyText(secret)) toast.info(developerTexts.copied)
    else toast.danger(developerTexts.couldNotCopy)
  }
  return (
    <section className="ticket p-3.5 [--rim:var(--warn-line)]">
      <h2 className="text-large">{title}</h2>
      <code className="my-2 block rounded-box bg-sunken px-3 py-2.5 font-mono text-body wrap-anywhere">{secret}</code>
      <p className="text-small text-muted">{hint}</p>
      <div className="mt-2.5 grid grid-cols-2 gap-2">
        <Button icon={<Copy className="size-5" aria-hidden="true" />} onClick={() => void copyIt()}>
          {copy}
        </Button>
        <Button variant="secondary" onClick={onSaved}>
          {developerTexts.saved}
        </Button>
      </div>
    </section>
  )
}
