import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { smsLink } from '../../../../shared/links.ts'
import { type Operator, operatorOfNumber, spacedPhone } from '../../../../shared/phones.ts'
import type { Recharge } from '../../../../shared/recharges.ts'
import { copyText } from '../../../lib/copy-text.ts'
import { session } from '../../../lib/session.ts'
import { fieldTexts } from '../../../texts/fields.ts'
import { walletTexts } from '../../../texts/wallet.ts'
import { Chip } from '../../../ui/chip.tsx'
import { Money } from '../../../ui/money.tsx'
import { LoadError } from '../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useNotice } from '../../shop/notice/api.ts'
import { useShop } from '../../shop/shop/api.ts'
import { usePaymentNumbers } from './use-payment-numbers.ts'

/** What to send, and what to dial for it on the payer's own network. */
export function WhatToDial({ recharge }: { recharge: Recharge }) {
  const { data: notice } = useNotice()
  const own = operatorOfNumber(session.use()?.phone ?? '')
  const menu = MENUS.find(({ operator }) => operator === own) ?? MENUS[0]
  const toMtn = notice !== undefined && operatorOfNumber(notice.momoPhoneNumber) === 'MTN'
  return (
    <>
      <p>
        {walletTexts.send} <Money cedis={recharge.amount} /> {walletTexts.byMomo}
      </p>
      <p className="mt-2 text-small text-muted">
        {walletTexts.onNetwork(menu.name)} <Dial code={menu.code} />
        {menu.operator === 'MTN' && toMtn ? walletTexts.thenMtn : walletTexts.thenSend} {walletTexts.checkName}
      </p>
      <details className="text-small text-muted">
        <summary className="inline-flex min-h-11 items-center font-semibold text-brand-text">{walletTexts.otherNetworks}</summary>
        <ul className="flex flex-wrap gap-x-5">
          {MENUS.filter((other) => other !== menu).map(({ name, code }) => (
            <li key={name}>
              {name} <Dial code={code} />
            </li>
          ))}
        </ul>
      </details>
    </>
  )
}

/** Inside a sentence: room for a thumb above and below that moves no line. */
const LINK = 'tabular py-3 font-bold whitespace-nowrap text-ink underline decoration-line-strong underline-offset-4'

type Menu = { operator: Operator; name: string; code: string }

/** The menus of the payers' own networks, which is where the money is sent from. */
const MENUS: readonly [Menu, ...Menu[]] = [
  { operator: 'MTN', name: 'MTN', code: '*170#' },
  { operator: 'Telecel', name: 'Telecel', code: '*110#' },
  { operator: 'AirtelTigo', name: 'AT', code: '*110#' },
]

function Dial({ code }: { code: string }) {
  return (
    <a href={`tel:${code.replace('#', '%23')}`} className={LINK}>
      {code}
    </a>
  )
}

/** Where the money goes and under which reference, each copied with one tap, and whom to write to. */
export function WhereToSend({ recharge, withAmount }: { recharge: Recharge; withAmount?: boolean }) {
  const { data: notice, error, refetch } = useNotice()
  const numbers = usePaymentNumbers(notice)
  const shop = useShop()
  if (error && !notice) return <LoadError what={walletTexts.details} error={error} onRetry={() => void refetch()} />
  if (!notice) {
    return (
      <Loading>
        <Skeleton className="h-40" />
      </Loading>
    )
  }
  const first = { network: '', phoneNumber: notice.momoPhoneNumber, accountName: notice.momoAccountName }
  // Sending within one's own network costs least. The first number is the one for everybody.
  const own = numbers.find(({ network }) => network === operatorOfNumber(session.get()?.phone ?? '')) ?? first
  const others = numbers.filter(({ phoneNumber }) => phoneNumber !== own.phoneNumber)
  return (
    <div>
      <Line name={walletTexts.number} copy={own.phoneNumber}>
        {spacedPhone(own.phoneNumber)}
      </Line>
      <Line name={walletTexts.reference} copy={recharge.rechargeId}>
        {recharge.rechargeId}
      </Line>
      {withAmount && (
        <Line name={walletTexts.sum} copy={recharge.amount.toFixed(2)}>
          <Money cedis={recharge.amount} />
        </Line>
      )}
      <p className="mt-1.5 text-small text-muted">
        {walletTexts.accountName} <b className="break-words text-ink">{own.accountName}</b>
      </p>
      {others.length > 0 && (
        <details className="text-small text-muted">
          <summary className="inline-flex min-h-11 items-center font-semibold text-brand-text">{walletTexts.otherNumbers}</summary>
          {others.map(({ network, phoneNumber, accountName }) => (
            <Line key={network} name={walletTexts.numberOf(network, accountName)} copy={phoneNumber}>
              {spacedPhone(phoneNumber)}
            </Line>
          ))}
        </details>
      )}
      <p className="mt-1.5 text-small text-muted">
        {walletTexts.complaints}{' '}
        {shop.phone ? (
          <a href={smsLink(shop.phone)} className={LINK}>
            {spacedPhone(shop.phone)}
          </a>
        ) : (
          walletTexts.theShop
        )}
        .
      </p>
    </div>
  )
}

function Line({ name, copy, children }: { name: string; copy: string; children: ReactNode }) {
  return (
    <div className="flex min-h-13 items-center justify-between gap-3">
      <div className="min-w-0">
        <p className="text-small text-muted">{name}</p>
        <p className="tabular text-title font-bold break-words">{children}</p>
      </div>
      <Chip onClick={() => void copyOut(copy)}>
        <Copy className="size-4.5" aria-hidden="true" />
        {walletTexts.copy}
        <span className="sr-only"> {name.toLowerCase()}</span>
      </Chip>
    </div>
  )
}

async function copyOut(text: string): Promise<void> {
  if (await copyText(text)) toast.success(fieldTexts.copied(text))
  else toast.danger(fieldTexts.couldNotCopy(text))
}
