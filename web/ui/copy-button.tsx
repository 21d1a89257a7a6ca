import { Check, Copy } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { copyText } from '../lib/copy-text.ts'
import { fieldTexts } from '../texts/fields.ts'
import { classNames } from './class-names.ts'
import { toast } from './toast.ts'

const SHOWN_MS = 1500

/** Copies with one tap: `text` goes to the clipboard. Screen readers say `label` in place of the children, so it says those, too. */
export function CopyButton({ text, label, className, children }: { text: string; label: string; className?: string; children: ReactNode }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    if (await copyText(text)) {
      setCopied(true)
      toast.info(fieldTexts.copied(text))
    } else toast.danger(fieldTexts.couldNotCopy(text))
  }
  const Icon = copied ? Check : Copy
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => void copy()}
      className={classNames(
        '-mx-1.5 inline-flex max-w-[calc(100%+0.75rem)] min-h-11 items-center gap-1.5 rounded-box px-1.5 text-left hover:bg-sunken lg:min-h-9',
        className,
      )}
    >
      {children}
      <Icon className={classNames('size-3.5 shrink-0', copied ? 'text-done' : 'text-muted')} aria-hidden="true" />
    </button>
  )
}
