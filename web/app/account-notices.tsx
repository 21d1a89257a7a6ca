import { type ReactNode, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { formatDateTime } from '../../shared/dates.ts'
import { dismissShopDebits, shopDebits } from '../features/people/users/shop-debits.ts'
import { HelpLink } from '../features/shop/shop/help-link.tsx'
import { endedSession } from '../lib/session.ts'
import { unsentSignOuts } from '../lib/unsent-sign-outs.ts'
import { noticeTexts } from '../texts/account-notices.ts'
import { helpTexts } from '../texts/help.ts'
import { Money } from '../ui/money.tsx'
import { NoticeBox } from '../ui/notice-box.tsx'

/** Notices about the user's account, on every screen until dismissed. */
export function AccountNotices() {
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  // Its own element above the screen, so that pages without notices do not carry it.
  useEffect(() => {
    const place = document.createElement('div')
    place.id = 'account-notices'
    place.className = 'no-print mx-auto flex w-full max-w-7xl flex-col gap-3 px-4 pt-4 empty:hidden sm:px-6'
    document.getElementById('main')?.before(place)
    setSlot(place)
    return () => place.remove()
  }, [])
  return slot && createPortal(<Notices />, slot)
}

function Notices() {
  const ended = endedSession.use()
  const debits = shopDebits.use()
  const unsent = unsentSignOuts.use()
  const dismissEnded = () => endedSession.set(null)
  return (
    <>
      {ended?.reason === 'banned' && (
        <Notice tone="danger" title={noticeTexts.banned} onDismiss={dismissEnded} contact={noticeTexts.bannedHelp}>
          {noticeTexts.bannedText}
        </Notice>
      )}
      {ended?.reason === 'expired' && (
        <Notice tone="pending" title={noticeTexts.expired} onDismiss={dismissEnded} contact={noticeTexts.expiredHelp}>
          {noticeTexts.expiredText}
        </Notice>
      )}
      {unsent.length > 0 && (
        <Notice tone="pending" title={noticeTexts.unsent}>
          {noticeTexts.unsentText}
        </Notice>
      )}
      {debits.length > 0 && (
        <Notice
          tone="pending"
          title={noticeTexts.debited(debits.length)}
          onDismiss={() => void dismissShopDebits().catch(() => undefined)}
          contact={noticeTexts.debitedHelp}
        >
          <ul className="flex flex-col gap-1">
            {debits.map(({ id, amount, note, at }) => (
              <li key={id}>
                <Money cedis={amount} className="font-semibold" /> {noticeTexts.on}{' '}
                <span className="tabular">{formatDateTime(new Date(at))}</span>
                {note ? `: ${note}` : noticeTexts.noReason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}

function Notice({
  tone,
  title,
  contact,
  onDismiss,
  children,
}: {
  tone: 'pending' | 'danger'
  title: string
  /** The beginning of a message to the shop. Without it no contact is offered. */
  contact?: string
  onDismiss?: () => void
  children: ReactNode
}) {
  return (
    <NoticeBox tone={tone} title={title}>
      {children}
      <div className="mt-1 -mb-2 flex flex-wrap gap-x-5">
        {contact && (
          <HelpLink about="shop" text={contact} look="link" className="text-current! underline">
            {helpTexts.writeToUs}
          </HelpLink>
        )}
        {onDismiss && (
          <button type="button" onClick={onDismiss} className="min-h-11 font-semibold underline underline-offset-4">
            {noticeTexts.dismiss}
          </button>
        )}
      </div>
    </NoticeBox>
  )
}
