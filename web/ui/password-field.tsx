import { Eye, EyeOff } from 'lucide-react'
import { type InputHTMLAttributes, useState } from 'react'
import { fieldTexts } from '../texts/fields.ts'
import { classNames } from './class-names.ts'
import { controlClass, FieldFrame, type FieldProps } from './field.tsx'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'type'> & FieldProps

/** A password that its owner may look at while typing. */
export function PasswordField({ label, hint, error, warning, hideLabel, className, id, ...input }: Props) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <FieldFrame {...{ label, hint, error, warning, hideLabel: hideLabel ?? false, className, id }}>
      {(control) => (
        <span className="relative block">
          <input
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...input}
            {...control}
            type={shown ? 'text' : 'password'}
            className={classNames(controlClass, 'pr-12')}
          />
          <button
            type="button"
            onClick={() => setShown(!shown)}
            aria-pressed={shown}
            aria-label={shown ? fieldTexts.hideTyped : fieldTexts.showTyped}
            className="absolute inset-y-0 right-0 inline-flex w-12 items-center justify-center rounded-box text-muted hover:text-ink"
          >
            <Icon className="size-5" aria-hidden="true" />
          </button>
        </span>
      )}
    </FieldFrame>
  )
}
