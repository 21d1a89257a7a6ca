import { type InputHTMLAttributes, useId } from 'react'
import { normalisePhone, PHONE_DIGITS } from '../../shared/phones.ts'
import { Field, type FieldProps } from './field.tsx'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'type' | 'value' | 'onChange'> &
  FieldProps & { value: string; onValue: (digits: string) => void; suggestions?: readonly string[] }

/** Keeps digits only, at most ten; understands what people paste, like +233 24 123 4567. */
export function PhoneField({ value, onValue, suggestions, ...field }: Props) {
  const listId = useId()
  return (
    <>
      <Field
        inputMode="numeric"
        autoComplete="tel-national"
        placeholder="0241234567"
        {...field}
        {...(suggestions?.length ? { list: listId } : {})}
        type="tel"
        value={value}
        onChange={(event) => onValue(keepDigits(event.currentTarget.value))}
        controlClassName="tabular"
      />
      {suggestions && suggestions.length > 0 && (
        <datalist id={listId}>
          {suggestions.map((number) => (
            <option key={number} value={number} />
          ))}
        </datalist>
      )}
    </>
  )
}

/** While a number is typed digit by digit, only a whole international number may be rewritten. */
function keepDigits(text: string): string {
  return normalisePhone(text).slice(0, PHONE_DIGITS)
}
