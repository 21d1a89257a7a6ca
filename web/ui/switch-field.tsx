import { type ReactNode, useId } from 'react'
import { fieldTexts } from '../texts/fields.ts'

type Props = { name: string; label: string; hint?: ReactNode; checked: boolean; onValue: (checked: boolean) => void; children?: ReactNode }

/** An on/off switch with its explanation; children, such as a warning, appear below it. */
export function SwitchField({ name, label, hint, checked, onValue, children }: Props) {
  const id = useId()
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-start justify-between gap-4">
        <label htmlFor={id} className="min-w-0 cursor-pointer font-semibold">
          {label}
        </label>
        <span className="-my-2.5 flex min-h-11 shrink-0 items-center gap-2.5">
          <span aria-hidden="true" className="min-w-6 shrink-0 text-right text-small whitespace-nowrap font-medium text-muted">
            {checked ? fieldTexts.on : fieldTexts.off}
          </span>
          <input
            id={id}
            name={name}
            type="checkbox"
            // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says by itself whether it is checked.
            role="switch"
            checked={checked}
            aria-describedby={hint ? `${id}-hint` : undefined}
            onChange={(event) => onValue(event.currentTarget.checked)}
            className="relative h-7 w-12 shrink-0 cursor-pointer appearance-none rounded-full bg-line-strong transition-colors after:absolute after:-inset-2 before:absolute before:top-1 before:left-1 before:size-5 before:rounded-full before:bg-on-brand before:transition-transform checked:bg-brand checked:before:translate-x-5"
          />
        </span>
      </div>
      {hint && (
        <p id={`${id}-hint`} className="-mt-1.5 text-small text-muted">
          {hint}
        </p>
      )}
      {children}
    </div>
  )
}
