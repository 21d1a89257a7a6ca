import type { ReactNode } from 'react'
import { spacedPhone } from '../../../../shared/phones.ts'
import { QueryProvider } from '../../../lib/query-provider.tsx'
import { homeTexts } from '../../../texts/home.ts'
import { Money } from '../../../ui/money.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TicketRow } from '../../../ui/ticket.tsx'
import { useAreReceiversKnown } from '../../catalogue/contacts/api.ts'
import { useShortcuts } from '../../catalogue/contacts/use-shortcuts.ts'

/** What the customer bought last, one press before the question; `children` is for whoever has bought nothing yet. */
export default function BuyAgain({ children }: { children: ReactNode }) {
  return (
    <QueryProvider>
      <div className="min-h-54">
        <Shortcuts otherwise={children} />
      </div>
    </QueryProvider>
  )
}

function Shortcuts({ otherwise }: { otherwise: ReactNode }) {
  const shortcuts = useShortcuts()
  const isKnown = useAreReceiversKnown()
  if (shortcuts.length === 0) return isKnown ? otherwise : <Skeleton className="h-54" />
  return (
    <>
      <h2 className="pb-2 text-small font-normal tracking-normal text-muted">{homeTexts.buyAgain}</h2>
      <ul className="flex flex-col gap-2">
        {shortcuts.map(({ network, offer, phoneNumber, name, price, href }) => (
          <li key={href}>
            <TicketRow
              network={network}
              label={homeTexts.buyAgainLabel}
              title={name ?? spacedPhone(phoneNumber)}
              subtitle={name ? `${offer} · ${spacedPhone(phoneNumber)}` : `${network} · ${offer}`}
              stub={<Money cedis={price} className="text-large" />}
              href={href}
            />
          </li>
        ))}
      </ul>
    </>
  )
}
