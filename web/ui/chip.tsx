import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { classNames } from './class-names.ts'
import { networkClass } from './network-art.tsx'

type Props = { selected?: boolean; network?: string; href?: string; onClick?: () => void; children: ReactNode }

/** A choice among a few, such as a person or a network, whose colour it then shows. */
export function Chip({ selected, network, href, onClick, children }: Props) {
  const className = classNames(
    'chip inline-flex min-h-11 shrink-0 items-center gap-2 rounded-full px-3.5 font-semibold whitespace-nowrap text-ink',
    selected ? 'bg-brand-soft [--rim:var(--brand-text)]' : 'bg-surface [--rim:var(--line-strong)]',
    network && networkClass(network),
  )
  const content = (
    <>
      {network && <span aria-hidden="true" className="size-2.5 rounded-[3px] bg-net" />}
      {children}
    </>
  )
  if (href === undefined)
    return (
      <button type="button" aria-pressed={selected} onClick={onClick} className={className}>
        {content}
      </button>
    )
  return (
    <Link href={href} aria-current={selected ? 'true' : undefined} {...(onClick ? { onClick } : {})} className={className}>
      {content}
    </Link>
  )
}

type RowProps = {
  label: string
  /** With links in it, a landmark. */
  navigation?: boolean
  /** Takes more lines where there is room. */
  wrap?: boolean
  className?: string
  children: ReactNode
}

/** Chips in one line, which is moved sideways on a phone. */
export function ChipRow({ label, navigation, wrap, className, children }: RowProps) {
  const Row = navigation ? 'nav' : 'fieldset'
  return (
    <Row
      aria-label={label}
      className={classNames(
        '-mx-4 flex min-w-0 gap-2 overflow-x-auto px-4 py-1.5 [scrollbar-width:none]',
        wrap && 'lg:mx-0 lg:flex-wrap lg:px-0',
        className,
      )}
    >
      {children}
    </Row>
  )
}
