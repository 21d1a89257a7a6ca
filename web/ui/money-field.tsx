import type { InputHTMLAttributes } from 'react'
import { classNames } from './class-names.ts'
import { controlClass, FieldFrame, type FieldProps } from './field.tsx'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'type' | 'value' | 'onChange'> &
  FieldProps & { value: string; onValue: (text: string) => void; allowNegative?: boolean }

/** An amount in cedis as typed text; read it with `parseCedis`. */
export function MoneyField({
  value,
  onValue,
  allowNegative = false,
  label,
  hint,
  error,
  warning,
  hideLabel,
  className,
  id,
  ...input
}: Props) {
  return (
    <FieldFrame {...{ label, hint, error, warning, hideLabel: hideLabel ?? false, className, id }}>
      {(control) => (
        <span className="relative block">
          <span aria-hidden="true" className="absolute inset-y-0 left-3 flex items-center text-large text-muted">
            ¢
          </span>
          <input
            inputMode={allowNegative ? 'text' : 'decimal'}
            autoComplete="off"
            placeholder="0.00"
            {...input}
            {...control}
            type="text"
            value={value}
            onChange={(event) => onValue(keepAmount(event.currentTarget.value, allowNegative))}
            className={classNames(controlClass, 'tabular pl-8 font-semibold')}
          />
        </span>
      )}
    </FieldFrame>
  )
}

function keepAmount(text: string, allowNegative: boolean): string {
  return text.replace(allowNegative ? /[^0-9.-]/g : /[^0-9.]/g, '').slice(0, 14)
}
