import { PIN_MAX } from '../../../../shared/pin-rules.ts'
import { PasswordField } from '../../../ui/password-field.tsx'

type Props = {
  name: string
  label: string
  value: string
  error?: string | undefined
  hint?: string
  autoFocus?: boolean
  onValue: (digits: string) => void
}

/** A PIN, with the number keys on a phone; what is no digit is not taken. */
export function PinField({ onValue, autoFocus = false, ...field }: Props) {
  return (
    <PasswordField
      {...field}
      inputMode="numeric"
      autoComplete="off"
      maxLength={PIN_MAX}
      data-autofocus={autoFocus || undefined}
      onChange={(event) => onValue(event.currentTarget.value.replace(/\D/g, ''))}
    />
  )
}
