import { type ReactNode, useState } from 'react'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { Button } from '../../../../ui/button.tsx'
import { Chip } from '../../../../ui/chip.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { Money } from '../../../../ui/money.tsx'
import { networkClass } from '../../../../ui/network-art.tsx'

export type FixOption = { label: string; network?: string; cedis?: number; onPick: () => void }

type Props = {
  number: number
  raw: string
  network: string | null
  isWrong: boolean
  why: string
  options: readonly FixOption[]
  /** Where the line can be written anew. */
  edit?: { label: string; value: string; onSave: (text: string) => void }
  disabled?: boolean
  onSkip: () => void
}

/** A line that nobody pays for until it is decided: what was typed, what is wrong with it, and each answer at one press. */
export function FixCard({ number, raw, network, isWrong, why, options, edit, disabled = false, onSkip }: Props) {
  return (
    <div
      className={classNames(
        'ticket mb-2 lg:block',
        networkClass(network ?? ''),
        isWrong ? '[--rim:var(--danger)]' : '[--rim:var(--warn-line)]',
      )}
    >
      <span aria-hidden="true" className="block h-1.5 shrink-0 bg-net" />
      <div className="relative flex flex-col gap-x-3 p-3 lg:grid lg:grid-cols-[minmax(0,1fr)_auto_auto] lg:items-center">
        <div className="min-w-0 max-lg:pr-14">
          <div className="flex min-h-7 flex-wrap items-center gap-x-2 gap-y-0.5">
            <b>{bulkTexts.line(number)}</b>
            <span className="max-w-full rounded-[4px] bg-sunken px-1.5 font-mono text-small break-words whitespace-pre-wrap">{raw}</span>
          </div>
          <p className="mt-1">{why}</p>
        </div>
        <div className="mt-2 flex flex-wrap gap-2 [&>.chip]:shrink [&>.chip]:whitespace-normal lg:mt-0 lg:max-w-107.5 lg:justify-end">
          {options.map(({ label, network: of, cedis, onPick }) => (
            <Chip key={label} {...(of ? { network: of } : {})} onClick={() => !disabled && onPick()}>
              {label} {cedis !== undefined && <Money cedis={cedis} />}
            </Chip>
          ))}
          {edit && <LineField {...edit} disabled={disabled} />}
        </div>
        <button
          type="button"
          disabled={disabled}
          onClick={onSkip}
          className="absolute top-1 right-0 min-h-11 px-3 font-semibold text-brand-text lg:static"
        >
          {bulkTexts.skip}
          <span className="sr-only"> {bulkTexts.lineInSentence(number)}</span>
        </button>
      </div>
    </div>
  )
}

function LineField({
  label,
  value,
  disabled,
  onSave,
}: {
  label: string
  value: string
  disabled: boolean
  onSave: (text: string) => void
}): ReactNode {
  const [text, setText] = useState(value)
  return (
    <form
      className="flex w-full flex-wrap gap-2 lg:w-auto"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim()) onSave(text.trim())
      }}
    >
      <input
        aria-label={label}
        value={text}
        disabled={disabled}
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
        className="tabular min-h-11 min-w-0 flex-1 basis-[10rem] rounded-box border border-line-strong bg-surface px-3 text-[min(1.0625rem,6.5vw)] text-ink lg:w-52"
      />
      <Button type="submit" variant="secondary" disabled={disabled || text.trim() === ''}>
        {bulkTexts.save}
      </Button>
    </form>
  )
}
