import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { uiTexts } from '../texts/ui.ts'
import { classNames } from './class-names.ts'
import { Money } from './money.tsx'
import { NetworkArt, networkClass } from './network-art.tsx'

type TicketProps = { network: string; children: ReactNode; stub?: ReactNode; className?: string }

/** A bundle: the network's colour on its edge, what it is in the body, and the rest behind the perforation. */
export function Ticket({ network, children, stub, className }: TicketProps) {
  return (
    <div className={classNames('ticket', networkClass(network), className)}>
      <Edge />
      <div className="p-4">{children}</div>
      {stub && (
        <>
          <div className="perf" aria-hidden="true" />
          <div className="p-4">{stub}</div>
        </>
      )}
    </div>
  )
}

function Edge() {
  return <span aria-hidden="true" className="h-1.75 shrink-0 bg-net" />
}

type Press = { href?: string; onClick?: (() => void) | undefined }

type TileProps = Press & {
  network: string
  /** The offer's name; a volume such as "10GB" is set large. */
  offer: string
  /** How long it is valid. */
  note?: string | undefined
  cedis: number
  popular?: boolean
  selected?: boolean
  disabled?: boolean
  /** The name of the group in which it is the one choice, moved by the arrow keys. */
  choice?: string
  className?: string
}

/** An offer on the shelf: its volume largest, its price on the stub. Grids of them stand in `tiles`. */
export function TicketTile({ network, offer, note, cedis, popular, selected, disabled, choice, className, ...press }: TileProps) {
  return (
    <Pressable
      {...press}
      {...(disabled ? { disabled } : {})}
      {...(choice ? { choice } : {})}
      pressed={selected}
      // A long word takes the place of two tiles, rather than be broken.
      className={classNames(
        'ticket min-h-11',
        /\S{9}/.test(offer) && 'col-span-2',
        !disabled || choice ? networkClass(network) : undefined,
        className,
      )}
    >
      <Edge />
      <span className="flex-1 px-2.5 py-2">
        <Offer name={offer} />
        {popular ? (
          <span className="block text-small font-semibold text-brand-text">
            {uiTexts.popular}
            {note && <span className="sr-only"> {note}</span>}
          </span>
        ) : (
          note && <span className="block text-small text-muted">{note}</span>
        )}
      </span>
      <span aria-hidden="true" className={classNames('perf', selected && '[--dots:transparent] [--line:transparent]')} />
      <span
        className={classNames(
          'flex items-center justify-between gap-1 px-2.5 pt-1.5 pb-2 text-large',
          selected && '-mt-px bg-brand text-on-brand',
        )}
      >
        <Money cedis={cedis} />
        {selected && <CheckMark />}
      </span>
    </Pressable>
  )
}

/** An offer's name: a volume large with a smaller unit, anything else as large as it fits. */
export function Offer({ name, size = 'tile' }: { name: string; size?: 'tile' | 'figure' | 'poster' }) {
  const [, amount, unit] = /^(\d+(?:[.,]\d+)*) ?([GM]B)$/i.exec(name) ?? []
  if (!amount)
    return (
      <span
        className={classNames(
          'block font-bold break-words',
          size !== 'tile' ? 'text-hero' : name.length > 3 ? 'text-large hyphens-auto' : 'text-title leading-[1.375]',
        )}
      >
        {name}
      </span>
    )
  return (
    <span
      className={classNames(
        'block font-bold tracking-tight whitespace-nowrap',
        size === 'tile' ? 'text-display leading-[1.1]' : size === 'figure' ? 'text-figure' : 'text-poster',
      )}
    >
      {amount}
      <span className="ml-0.5 text-[0.6em] font-semibold tracking-normal">{unit}</span>
    </span>
  )
}

type RowProps = Press & {
  network: string
  title: ReactNode
  subtitle?: ReactNode
  stub: ReactNode
  /** A picture instead of the network's drawing. */
  image?: string | undefined
  /** What pressing it does, read before the rest, such as "Buy again:". */
  label?: string
  className?: string
}

/** A ticket lying on its side: the network's drawing, what it is, and the stub at the end. */
export function TicketRow({ network, title, subtitle, stub, image, label, className, ...press }: RowProps) {
  return (
    <Pressable {...press} className={classNames('ticket ticket-row min-h-13 w-full flex-wrap', networkClass(network), className)}>
      {label && <span className="sr-only">{label} </span>}
      {image ? (
        <span className="relative w-13 shrink-0 bg-sunken">
          <img src={image} alt="" className="absolute size-full object-cover" />
        </span>
      ) : (
        <NetworkArt network={network} />
      )}
      <span className="flex min-w-0 grow basis-[7rem] flex-col justify-center px-3 py-2.5">
        <span className="font-bold">{title}</span>
        {subtitle && <span className="text-small text-muted">{subtitle}</span>}
      </span>
      <span className="perf-down" aria-hidden="true" />
      <span className="ml-auto flex shrink-0 flex-col items-end justify-center px-3 py-2.5">{stub}</span>
    </Pressable>
  )
}

function Pressable({
  href,
  onClick,
  disabled,
  pressed,
  choice,
  className,
  children,
}: Press & { disabled?: boolean; pressed?: boolean | undefined; choice?: string; className: string; children: ReactNode }) {
  if (choice)
    return (
      <label className={classNames(className, 'cursor-pointer has-disabled:cursor-not-allowed')}>
        <input
          type="radio"
          name={choice}
          checked={pressed ?? false}
          disabled={disabled}
          onChange={onClick}
          className="absolute inset-0 z-1 size-full cursor-[inherit] opacity-0"
        />
        {children}
      </label>
    )
  if (href !== undefined && !disabled)
    return (
      <Link href={href} {...(onClick ? { onClick } : {})} className={className}>
        {children}
      </Link>
    )
  if (onClick || disabled)
    return (
      <button type="button" disabled={disabled} aria-pressed={pressed} onClick={onClick} className={className}>
        {children}
      </button>
    )
  return <div className={className}>{children}</div>
}

function CheckMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="size-4.5 shrink-0">
      <path d="m5 12.5 4.5 4.5L19 7.5" fill="none" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
