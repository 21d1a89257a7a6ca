import { type KeyboardEvent, type Ref, useEffect, useId, useRef, useState } from 'react'
import { spacedPhone } from '../../../../../shared/phones.ts'
import type { User } from '../../../../../shared/users.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { messageOf } from '../../../../lib/http.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { controlClass, FieldFrame } from '../../../../ui/field.tsx'
import { Money } from '../../../../ui/money.tsx'
import { useUserSuggestions } from './api.ts'

type Props = {
  label: string
  /** What is typed. */
  text: string
  onText: (text: string) => void
  user: User | null
  onUser: (user: User | null) => void
  inputRef?: Ref<HTMLInputElement>
}

/**
 * Finds a user by typing a name or a phone number. A suggestion shows enough to tell look-alikes apart. A choice by hand or the
 * whole username selects one; a name that only looks like somebody else's does not.
 */
export function UserCombobox({ label, text, onText, user, onUser, inputRef }: Props) {
  const listId = useId()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const { users, settled, loading, error } = useUserSuggestions(text)

  const typed = text.trim().toLowerCase()
  // The chosen user's balance may change while the form is filled in.
  const latest = users.find((one) => one._id === user?._id)
  useEffect(() => {
    if (latest && !isSameRecord(latest, user)) onUser(latest)
  }, [latest, user, onUser])

  const exact = settled && user === null ? users.find(({ username }) => username === typed) : undefined
  useEffect(() => {
    if (exact) onUser(exact)
  }, [exact, onUser])

  const shown = open && typed !== ''
  const list = useRef<HTMLDivElement>(null)
  const found = users.length
  // In a sheet on a phone the list would open under its buttons.
  useEffect(() => {
    if (shown && settled && found > 0) list.current?.scrollIntoView({ block: 'nearest' })
  }, [shown, settled, found])
  const optionId = (index: number) => `${listId}-${index}`
  const choose = (chosen: User) => {
    onText(chosen.username)
    onUser(chosen)
    setOpen(false)
    setActive(-1)
  }

  const moveTo = (index: number) => {
    setOpen(true)
    if (users.length === 0) return
    const next = (index + users.length) % users.length
    setActive(next)
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = users[active]
    switch (event.key) {
      case 'ArrowDown':
        moveTo(active + 1)
        break
      case 'ArrowUp':
        moveTo(active < 0 ? users.length - 1 : active - 1)
        break
      case 'Enter':
        if (!shown || !chosen) return
        choose(chosen)
        break
      case 'Escape':
        if (!shown) return
        setOpen(false)
        setActive(-1)
        break
      default:
        return
    }
    event.preventDefault()
  }

  return (
    <FieldFrame label={label}>
      {(control) => (
        <div className="relative">
          <input
            ref={inputRef}
            {...control}
            type="text"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={shown}
            aria-controls={listId}
            aria-activedescendant={shown && active >= 0 ? optionId(active) : undefined}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={100}
            placeholder="Username or phone number"
            value={text}
            onChange={(event) => {
              onText(event.currentTarget.value)
              onUser(null)
              setOpen(true)
              setActive(-1)
            }}
            onFocus={() => setOpen(user === null)}
            onBlur={() => setOpen(false)}
            onKeyDown={onKeyDown}
            className={controlClass}
          />
          <p role="status" className="sr-only">
            {shown && settled && (users.length === 0 ? 'No user found' : counted(users.length, 'suggestion'))}
          </p>
          {shown && (
            <div
              ref={list}
              className="absolute inset-x-0 top-full z-20 mt-1 max-h-80 overflow-y-auto overscroll-contain rounded-box border border-line-strong bg-surface py-1 [box-shadow:var(--lift)]"
            >
              <div id={listId} role="listbox" aria-label="Users">
                {users.map((one, index) => (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's, which keeps the focus.
                  <div
                    key={one._id}
                    id={optionId(index)}
                    role="option"
                    aria-selected={index === active}
                    tabIndex={-1}
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={() => choose(one)}
                    onMouseMove={() => setActive(index)}
                    className={classNames('cursor-pointer px-3 py-2', index === active && 'bg-brand-soft')}
                  >
                    <UserLine user={one} typed={typed} />
                  </div>
                ))}
              </div>
              {users.length === 0 && (
                <p className="px-3 py-3 text-muted">
                  {error ? messageOf(error) : loading || !settled ? 'Searching…' : `No user matches “${text.trim()}”.`}
                </p>
              )}
            </div>
          )}
        </div>
      )}
    </FieldFrame>
  )
}

function isSameRecord(a: User, b: User | null): boolean {
  return a._id === b?._id && a.balance === b.balance && a.userLevel === b.userLevel && a.status === b.status
}

function UserLine({ user, typed }: { user: User; typed: string }) {
  const at = user.username.indexOf(typed)
  return (
    <>
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 font-medium break-words">
          {at < 0 ? (
            user.username
          ) : (
            <>
              {user.username.slice(0, at)}
              <b className="font-bold text-brand-text">{user.username.slice(at, at + typed.length)}</b>
              {user.username.slice(at + typed.length)}
            </>
          )}
        </span>
        <Money cedis={user.balance} />
      </span>
      <span className="flex flex-wrap justify-between gap-x-3 text-small text-muted">
        <span className="tabular whitespace-nowrap">{spacedPhone(user.phone)}</span>
        <span className="min-w-0 break-all">{user.email}</span>
        <span>
          {user.userLevel}
          {user.status === 'Banned' && <span className="font-semibold text-danger"> · Banned</span>}
        </span>
      </span>
    </>
  )
}
