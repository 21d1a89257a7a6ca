import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from 'wouter'
import { classNames } from './class-names.ts'
import { Spinner } from './spinner.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
export type ButtonSize = 'normal' | 'large' | 'compact'

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  variant?: ButtonVariant
  size?: ButtonSize
  /** Shows that the button is at work, and keeps it from being pressed again. */
  busy?: boolean
  busyLabel?: string | undefined
  icon?: ReactNode
  block?: boolean
  /** The price, behind a perforation. */
  stub?: ReactNode
  /** A second, smaller line, such as the price with its charge. */
  note?: ReactNode
}

export function Button({
  variant = 'primary',
  size = 'normal',
  busy = false,
  busyLabel,
  icon,
  block,
  stub,
  note,
  className,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={classNames(
        buttonClass(variant, size),
        block && 'w-full',
        busy && 'cursor-progress!',
        stub != null && WITH_STUB,
        className,
      )}
    >
      {busy ? <Spinner /> : icon}
      <Label stub={stub} note={note}>
        {busy && busyLabel ? busyLabel : children}
      </Label>
    </button>
  )
}

const WITH_STUB = 'relative overflow-hidden [--dots:currentColor] [--rim:transparent]'
/** So that the largest letters leave room for the price. */
const FITTING = 'text-[min(1em,5vw)]'

function Label({ stub, note, children }: { stub?: ReactNode; note?: ReactNode; children: ReactNode }) {
  return (
    <>
      <span className={stub ? `flex-1 ${FITTING}` : undefined}>
        {children}
        {note && <span className="block text-small font-normal opacity-80">{note}</span>}
      </span>
      {stub && (
        <>
          <span aria-hidden="true" className="perf-down -my-2! mx-1.5" />
          <span className={`min-w-14 ${FITTING}`}>{stub}</span>
        </>
      )}
    </>
  )
}

export type LinkProps = {
  href: string
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: ReactNode
  block?: boolean
  stub?: ReactNode
  note?: ReactNode
  className?: string
  onClick?: () => void
  children: ReactNode
}

export function ButtonLink({
  href,
  variant = 'primary',
  size = 'normal',
  icon,
  block,
  stub,
  note,
  className,
  onClick,
  children,
}: LinkProps) {
  return (
    <Link
      href={href}
      {...(onClick ? { onClick } : {})}
      className={classNames(buttonClass(variant, size), block && 'w-full', stub != null && WITH_STUB, className)}
    >
      {icon}
      <Label stub={stub} note={note}>
        {children}
      </Label>
    </Link>
  )
}

export function buttonClass(variant: ButtonVariant = 'primary', size: ButtonSize = 'normal'): string {
  return classNames(
    'inline-flex items-center justify-center gap-2 rounded-box text-center font-semibold transition-colors select-none',
    'disabled:cursor-not-allowed',
    size === 'normal' && 'min-h-11 px-4 py-2 text-body',
    size === 'large' && 'min-h-13 px-4 py-2',
    size === 'large' && (variant === 'primary' ? 'text-large font-bold' : 'text-body'),
    size === 'compact' && 'min-h-11 px-3 py-1 text-small sm:min-h-9',
    variant === 'primary' && 'bg-brand text-on-brand hover:bg-brand-hover',
    variant === 'secondary' && 'border border-line-strong bg-surface text-ink hover:bg-sunken',
    variant === 'quiet' && 'text-brand-text hover:bg-brand-soft',
    variant === 'danger' && 'border border-danger bg-surface text-danger hover:bg-danger-soft',
    variant === 'primary'
      ? 'disabled:bg-sunken disabled:text-muted aria-busy:bg-brand aria-busy:text-on-brand aria-busy:opacity-80'
      : 'disabled:border-line disabled:bg-transparent disabled:text-muted disabled:hover:bg-transparent',
  )
}

/** A round button that shows an icon only; `label` is its name. */
export function IconButton({ label, className, children, ...rest }: ButtonHTMLAttributes<HTMLButtonElement> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={classNames(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-full text-muted transition-colors hover:bg-sunken hover:text-ink disabled:cursor-not-allowed disabled:opacity-50',
        className,
      )}
    >
      {children}
    </button>
  )
}
