import { type InputHTMLAttributes, useId, useState } from 'react'
import { normalisePhone, spacedPhone } from '../../shared/phones.ts'
import { Field, type FieldProps } from './field.tsx'
import { completedPhone, editPhone, foreignCharacters, groupedPhone } from './phone-text.ts'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'type' | 'value' | 'onChange' | 'onBlur'> &
  FieldProps & {
    value: string
    /** At most ten digits in local form, and the digits that were cut off a longer number. */
    onValue: (digits: string, leftOut: string) => void
    suggestions?: readonly string[]
  }

/** Accepts a number in any form, typed or pasted, and groups its digits while typing. */
export function PhoneField({ value, onValue, suggestions, warning, ...field }: Props) {
  const listId = useId()
  const [typed, setTyped] = useState({ text: '', leftOut: '' })
  const [foreign, setForeign] = useState('')
  // A value from elsewhere, such as a number chosen from a list, replaces what was typed.
  const isTyped = normalisePhone(typed.text) === value
  const text = isTyped ? typed.text : groupedPhone(value)
  return (
    <>
      <Field
        inputMode="numeric"
        autoComplete="tel-national"
        placeholder="024 123 4567"
        {...field}
        {...(suggestions?.length ? { list: listId } : {})}
        warning={[foreign && foreignWarning(foreign), isTyped && typed.leftOut && leftOutWarning(typed.leftOut), warning]
          .filter(Boolean)
          .join(' ')}
        type="tel"
        value={text}
        onChange={(event) => {
          const input = event.currentTarget
          const { inputType } = event.nativeEvent as InputEvent
          // Said until the field is left: the next key would take the word away before it is read.
          const found = foreignCharacters(input.value)
          setForeign((before) => (input.value === '' ? '' : [...new Set(before + found)].join('')))
          const edited = editPhone(text, input.value, input.selectionStart ?? input.value.length, inputType)
          // React would move the caret to the end if it wrote this text by itself.
          input.value = edited.text
          input.setSelectionRange(edited.caret, edited.caret)
          // Further keys behind a full number are all left out, not only the last one.
          const leftOut = edited.leftOut && edited.text === text ? typed.leftOut + edited.leftOut : edited.leftOut
          setTyped({ text: edited.text, leftOut })
          onValue(normalisePhone(edited.text), leftOut)
        }}
        onBlur={() => {
          setForeign('')
          setTyped(({ leftOut }) => ({ text: completedPhone(text), leftOut }))
        }}
        controlClassName="tabular"
      />
      {suggestions && suggestions.length > 0 && (
        <datalist id={listId}>
          {suggestions.map((number) => (
            <option key={number} value={spacedPhone(number)} />
          ))}
        </datalist>
      )}
    </>
  )
}

/** For signs that no phone number has, such as a minus before it. */
export function foreignWarning(characters: string): string {
  return `We left out “${characters}”. A phone number has digits only.`
}

/** For a number that was typed or pasted with more digits than a number has. */
export function leftOutWarning(leftOut: string): string {
  return `That was more than 10 digits, so we left out ${leftOut}. Check the number.`
}
