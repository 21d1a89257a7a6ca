import { Field } from '../../../../ui/field.tsx'

export const LEAST_REASON = 3

export function ReasonField({ value, onValue }: { value: string; onValue: (text: string) => void }) {
  return (
    <Field
      label="Reason"
      hint="Why, in a few words. It is kept with your name."
      className="mt-4"
      maxLength={300}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
    />
  )
}
