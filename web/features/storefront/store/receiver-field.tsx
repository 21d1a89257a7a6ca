import { Check, UserPlus, Users } from 'lucide-react'
import { type Ref, useId, useState } from 'react'
import { type Network, prefixWarning } from '../../../../shared/networks.ts'
import {
  hasCountryCode,
  isMobilePhone,
  normalisePhone,
  operatorOfNumber,
  PHONE_DIGITS,
  phoneProblem,
  spacedPhone,
} from '../../../../shared/phones.ts'
import { buyTexts } from '../../../texts/buy.ts'
import { Chip } from '../../../ui/chip.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { controlClass } from '../../../ui/field.tsx'
import { foreignWarning, leftOutWarning } from '../../../ui/phone-field.tsx'
import { completedPhone, editPhone, foreignCharacters, groupedPhone } from '../../../ui/phone-text.ts'
import { findReceivers, type KnownReceiver } from '../../catalogue/contacts/find-receivers.ts'
import { useShop } from '../../shop/shop/api.ts'

type Props = {
  network: Network
  /** Whose numbers airtime is for. */
  operator: string | undefined
  value: string
  leftOut: string
  receivers: readonly KnownReceiver[]
  disabled: boolean
  inputRef: Ref<HTMLInputElement>
  /** At most ten digits in local form, and the digits that were cut off a longer number. */
  onValue: (digits: string, leftOut: string) => void
  onContacts: (naming: boolean) => void
}

const CHIPS = 8
const LETTER = /\p{L}/u

/**
 * Whom it is for: a number in any form, or the beginning of a saved name, with the people bought for as chips below. The chips
 * and the line for messages keep their room, so that nothing below moves while somebody types.
 */
export function ReceiverField({ network, operator, value, leftOut, receivers, disabled, inputRef, onValue, onContacts }: Props) {
  const id = useId()
  const { noSms } = useShop()
  const [typed, setTyped] = useState({ text: '', leftOut: '' })
  const [foreign, setForeign] = useState('')
  const isName = LETTER.test(typed.text) && value === ''
  // A value from elsewhere, such as a chip, replaces what was typed.
  const isTyped = isName || normalisePhone(typed.text) === value
  const text = isTyped ? typed.text : groupedPhone(value)
  const complete = isMobilePhone(value)
  const found = complete ? [...receivers] : findReceivers(text, receivers)
  const chips = found.slice(0, CHIPS)
  const known = receivers.find(({ phoneNumber }) => phoneNumber === value)
  const [match] = isName ? found : []
  const problem = phoneProblem(value)
  const warning = [
    foreign && foreignWarning(foreign),
    isTyped && typed.leftOut ? leftOutWarning(typed.leftOut) : leftOut && leftOutWarning(leftOut),
    prefixWarning(network, value, operator),
  ]
    .filter(Boolean)
    .join(' ')

  const choose = (number: string) => {
    setTyped({ text: '', leftOut: '' })
    setForeign('')
    onValue(number, '')
  }
  const message = isName
    ? match
      ? buyTexts.enterFor(match.name ?? spacedPhone(match.phoneNumber))
      : buyTexts.noSuchName(typed.text.trim())
    : problem ||
      warning ||
      (complete ? (network === 'WAEC Checkers' ? (noSms ? buyTexts.pinOnPage : buyTexts.pinBySms) : (known?.name ?? '')) : hintFor(value))

  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-semibold">
        {buyTexts.receiver}
      </label>
      <span className="relative block">
        <input
          ref={inputRef}
          id={id}
          type="tel"
          inputMode="numeric"
          name="receiver"
          autoComplete="off"
          placeholder="024 123 4567"
          required
          disabled={disabled}
          value={text}
          aria-describedby={`${id}-message`}
          aria-invalid={problem ? true : undefined}
          onFocus={(event) => {
            // Whoever comes to change a whole number begins by replacing it.
            if (complete) event.currentTarget.select()
          }}
          onChange={(event) => {
            const input = event.currentTarget
            if (LETTER.test(input.value)) {
              setTyped({ text: input.value, leftOut: '' })
              setForeign('')
              onValue('', '')
              return
            }
            const { inputType } = event.nativeEvent as InputEvent
            const found = foreignCharacters(input.value)
            setForeign((before) => (input.value === '' ? '' : [...new Set(before + found)].join('')))
            const edited = editPhone(text, input.value, input.selectionStart ?? input.value.length, inputType)
            // React would move the caret to the end if it wrote this text by itself.
            input.value = edited.text
            input.setSelectionRange(edited.caret, edited.caret)
            // Further keys behind a full number are all left out, not only the last one.
            const cut = edited.leftOut && edited.text === text ? typed.leftOut + edited.leftOut : edited.leftOut
            setTyped({ text: edited.text, leftOut: cut })
            onValue(normalisePhone(edited.text), cut)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !match) return
            // The number is chosen first; the next Enter goes on with it.
            event.preventDefault()
            choose(match.phoneNumber)
          }}
          onBlur={() => {
            if (!isName) setTyped(({ leftOut: cut }) => ({ text: completedPhone(text), leftOut: cut }))
          }}
          className={classNames(controlClass, 'min-h-13 pr-28')}
        />
        {complete && (
          <span className="pointer-events-none absolute inset-y-0 right-3 flex items-center gap-1.5 text-small font-semibold text-done">
            <Check className="size-4.5" aria-hidden="true" />
            {operatorOfNumber(value)}
          </span>
        )}
      </span>
      <div className="flex min-h-11 items-center text-small">
        <p id={`${id}-message`} role="status" className={problem ? 'font-medium text-danger' : warning ? 'text-pending' : 'text-muted'}>
          {message}
        </p>
        {complete && !message && (
          <button
            type="button"
            onClick={() => onContacts(true)}
            className="inline-flex min-h-11 items-center gap-1.5 font-semibold text-brand-text"
          >
            <UserPlus className="size-4.5" aria-hidden="true" />
            {buyTexts.saveName}
          </button>
        )}
      </div>
      <fieldset
        aria-label={buyTexts.receivers}
        disabled={disabled}
        className="-mx-4 flex min-h-12 min-w-0 gap-2 overflow-x-auto px-4 py-0.5 [scrollbar-width:none] sm:mx-0 sm:px-0.5"
      >
        {chips.map(({ phoneNumber, name }) => (
          <Chip key={phoneNumber} selected={phoneNumber === value} onClick={() => choose(phoneNumber)}>
            {name ? <span className="max-w-40 truncate">{name}</span> : spacedPhone(phoneNumber)}
          </Chip>
        ))}
        <Chip onClick={() => onContacts(false)}>
          <Users className="size-4.5" aria-hidden="true" />
          {buyTexts.contacts}
        </Chip>
      </fieldset>
    </div>
  )
}

function hintFor(digits: string): string {
  if (digits === '') return buyTexts.tenDigits
  if (hasCountryCode(digits)) return buyTexts.afterCountryCode
  return digits.length === PHONE_DIGITS ? '' : buyTexts.digitsLeft(PHONE_DIGITS - digits.length)
}
