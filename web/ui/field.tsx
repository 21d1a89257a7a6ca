import { CircleAlert } from 'lucide-react'
import { type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes, type TextareaHTMLAttributes, useId } from 'react'
import { classNames } from './class-names.ts'

export type FieldProps = {
  label: string
  hint?: ReactNode
  error?: string | undefined
  /** A warning that stops nobody, such as an unusual number. */
  warning?: string | null | undefined
  hideLabel?: boolean
  className?: string | undefined
}

type FrameProps = FieldProps & {
  id?: string | undefined
  children: (control: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }) => ReactNode
}

/** A label, its control, and its hint, warning and error, linked for screen readers. */
export function FieldFrame({ label, hint, error, warning, hideLabel, className, id: givenId, children }: FrameProps) {
  const ownId = useId()
  const id = givenId ?? ownId
  const described = [hint && `${id}-hint`, warning && `${id}-warning`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={classNames('flex flex-col gap-1', className)}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-body font-semibold'}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {error && (
        <p id={`${id}-error`} className="flex gap-1.5 text-small font-medium text-danger">
          <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          {error}
        </p>
      )}
      {warning && (
        <p id={`${id}-warning`} role="status" className="rounded-box bg-pending-soft px-3 py-2 text-small text-pending">
          {warning}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-small text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}

export const controlClass = classNames(
  'min-h-12 w-full rounded-box border border-line-strong bg-surface px-3 py-2 text-large text-ink transition-colors',
  'hover:border-ink focus-visible:border-brand-text focus-visible:outline-offset-0',
  'aria-invalid:border-danger aria-invalid:bg-danger-soft',
  'disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-muted',
)

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'className'> & FieldProps & { controlClassName?: string }

export function Field({ label, hint, error, warning, hideLabel, className, id, controlClassName, ...input }: InputProps) {
  return (
    <FieldFrame {...{ label, hint, error, warning, hideLabel: hideLabel ?? false, className, id }}>
      {(control) => (
        <input
          type="text"
          {...input}
          {...control}
          data-autofocus={input.autoFocus || undefined}
          className={classNames(controlClass, controlClassName)}
        />
      )}
    </FieldFrame>
  )
}

type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className'> & FieldProps & { controlClassName?: string }

export function SelectField({ label, hint, error, warning, hideLabel, className, id, children, controlClassName, ...select }: SelectProps) {
  return (
    <FieldFrame {...{ label, hint, error, warning, hideLabel: hideLabel ?? false, className, id }}>
      {(control) => (
        <SelectControl {...select} {...control} className={classNames(controlClass, controlClassName)}>
          {children}
        </SelectControl>
      )}
    </FieldFrame>
  )
}

/** The platform's own list with our arrow. Needs a label of its own. */
export function SelectControl({ className, children, ...select }: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <span className="relative block">
      <select {...select} className={classNames('appearance-none pr-10', className ?? controlClass)}>
        {children}
      </select>
      <svg
        viewBox="0 0 16 16"
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
      >
        <path d="m4 6 4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
    </span>
  )
}

type TextareaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'className'> & FieldProps

export function TextareaField({ label, hint, error, warning, hideLabel, className, id, ...textarea }: TextareaProps) {
  return (
    <FieldFrame {...{ label, hint, error, warning, hideLabel: hideLabel ?? false, className, id }}>
      {(control) => <textarea rows={6} {...textarea} {...control} className={controlClass} />}
    </FieldFrame>
  )
}
