import { ArrowLeft, Search } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { IconButton } from '../../ui/button.tsx'

/** Finds a customer by number or name, and an order by its number or reference. With `onClose` it covers a phone's header. */
export function AdminSearch({ onClose }: { onClose?: () => void }) {
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (onClose) field.current?.focus()
  }, [onClose])

  const search = (event: FormEvent) => {
    event.preventDefault()
    const wanted = text.trim()
    if (!wanted) return
    setText('')
    onClose?.()
    field.current?.blur()
    navigate(`${placeOf(wanted)}?search=${encodeURIComponent(wanted)}`)
  }
  const form = (
    <search className="relative min-w-0 flex-1 lg:w-75 lg:flex-none lg:shrink">
      <form onSubmit={search}>
        <Search className="pointer-events-none absolute top-1/2 left-3 size-5 -translate-y-1/2 text-muted" aria-hidden="true" />
        <input
          ref={field}
          id="admin-search"
          type="search"
          aria-label="Search"
          placeholder="Number, name, order, reference"
          enterKeyHint="search"
          autoComplete="off"
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={({ key }) => key === 'Escape' && onClose?.()}
          className="min-h-11 w-full rounded-box border border-line-strong bg-surface pr-8 pl-10 text-[1rem] lg:min-h-9.5 lg:text-body"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-2 hidden -translate-y-1/2 rounded-[5px] border border-line px-1.5 py-0.5 text-[0.75rem] leading-none text-muted lg:block"
        >
          /
        </span>
      </form>
    </search>
  )
  if (!onClose) return form
  return (
    <div className="absolute inset-0 flex items-center gap-1 bg-surface px-2">
      <IconButton label="Close the search" onClick={onClose}>
        <ArrowLeft className="size-5" aria-hidden="true" />
      </IconButton>
      {form}
    </div>
  )
}

/** A phone number or a name is a customer's; a shorter number or a reference is an order's. */
function placeOf(text: string): string {
  const digits = text.replace(/[\s+()-]/g, '')
  const isPhone = /^\d{9,15}$/.test(digits)
  const isOrder = !isPhone && (/^#?\d+$/.test(text) || (/^[a-z\d]{16,24}$/i.test(text) && /\d/.test(text)))
  return isOrder ? '/admin/orders' : '/admin/customers'
}
