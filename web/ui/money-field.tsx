import type { InputHTMLAttributes } from 'react'
import { readTypedAmount } from '../lib/typed-amount.ts'
import { Chip } from './chip.tsx'
import { classNames } from './class-names.ts'
import { controlClass, FieldFrame, type FieldProps } from './field.tsx'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'type' | 'value' | 'onChange'> &
  FieldProps & {
    value: string
    onValue: (text: string) => void
    allowNegative?: boolean
    /** Half a phone's width: what was understood stands below, where it covers nothing. */
    narrow?: boolean
  }

const MOST_CHARACTERS = 40

/**
 * An amount in cedis as it was typed, to be read with `pesewasIn`. Beside it stands the amount that was understood; one that
 * may be two is asked about, whatever the form says of it.
 */
export function MoneyField({
  value,
  onValue,
  allowNegative = false,
  narrow = false,
  label,
  hint,
  error,
  warning,
  hideLabel,
  className,
  id,
  ...input
}: Props) {
  const { understood, doubt } = readTypedAmount(value, { negative: allowNegative })
  const question = doubt && doubt.candidates.length > 0 ? doubt.reason : undefined
  return (
    <FieldFrame {...{ label, hint, error: question ?? error ?? doubt?.reason, warning, hideLabel: hideLabel ?? false, className, id }}>
      {(control) => (
        <>
          <span className="relative block">
            <span
              aria-hidden="true"
              className={classNames('absolute left-3 flex items-center text-large text-muted', narrow ? 'top-0 min-h-12' : 'inset-y-0')}
            >
              ¢
            </span>
            <input
              inputMode={allowNegative ? 'text' : 'decimal'}
              autoComplete="off"
              placeholder="0.00"
              maxLength={MOST_CHARACTERS}
              {...input}
              {...control}
              aria-describedby={classNames(control['aria-describedby'], understood && `${control.id}-understood`) || undefined}
              type="text"
              value={value}
              onChange={(event) => onValue(event.currentTarget.value)}
              className={classNames(controlClass, 'tabular pl-8 font-semibold', understood && !narrow && 'pr-[45%]')}
            />
            {understood && (
              <span
                id={`${control.id}-understood`}
                className={classNames(
                  'tabular pointer-events-none text-small text-muted',
                  narrow ? 'mt-1 block pl-3' : 'absolute inset-y-0 right-3 flex max-w-[43%] items-center overflow-hidden',
                )}
              >
                {understood}
              </span>
            )}
          </span>
          {doubt && doubt.candidates.length > 0 && (
            <span className="flex flex-wrap gap-2">
              {doubt.candidates.map((one) => (
                <Chip key={one.text} onClick={() => onValue(one.text)}>
                  {one.label}
                </Chip>
              ))}
            </span>
          )}
        </>
      )}
    </FieldFrame>
  )
}
