import { type ComponentProps, useState } from 'react'
import { Field } from '../field.tsx'

type Props = Omit<ComponentProps<typeof Field>, 'type' | 'inputMode' | 'warning' | 'value' | 'onChange' | 'onBlur'> & {
  value: string
  onValue: (digits: string) => void
}

/** A whole number that cannot be below zero. What is no digit is left out, and said. */
export function DigitsField({ onValue, maxLength = 9, ...field }: Props) {
  const [leftOut, setLeftOut] = useState('')
  return (
    <Field
      {...field}
      inputMode="numeric"
      warning={leftOut && `We left out “${leftOut}”. This is a whole number, not below zero.`}
      onChange={({ currentTarget: { value } }) => {
        const foreign = value.replace(/[\d\s,]/g, '')
        setLeftOut((before) => (value === '' ? '' : [...new Set(before + foreign)].join('').slice(0, 12)))
        onValue(value.replace(/\D/g, '').slice(0, maxLength))
      }}
      onBlur={() => setLeftOut('')}
    />
  )
}
