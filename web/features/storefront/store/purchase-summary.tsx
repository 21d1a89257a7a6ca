import { toCedis, toPesewas } from '../../../../shared/money.ts'
import type { Network } from '../../../../shared/networks.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { session } from '../../../lib/session.ts'
import { buyTexts } from '../../../texts/buy.ts'
import { Detail, Details } from '../../../ui/details.tsx'
import { Money } from '../../../ui/money.tsx'
import { NetworkArt } from '../../../ui/network-art.tsx'
import { Offer, Ticket } from '../../../ui/ticket.tsx'
import { useShop } from '../../shop/shop/api.ts'

type Props = {
  network: Network
  offer: string
  phoneNumber: string
  name: string | null
  price: number
  /** How long this network's orders typically take; null when that is not known. */
  minutes: number | null
}

/** What is about to be bought, with the number large enough to be checked, and what it leaves in the wallet. */
export function PurchaseSummary({ network, offer, phoneNumber, name, price, minutes }: Props) {
  const { noSms } = useShop()
  // Another tab may buy while this is asked.
  const left = toCedis(toPesewas(session.use()?.balance ?? 0) - toPesewas(price))
  return (
    <Ticket
      network={network}
      stub={
        <Details>
          <Detail name={buyTexts.fromWallet}>
            <Money cedis={price} className="text-large" />
          </Detail>
          {left >= 0 && (
            <Detail name={buyTexts.leftInWallet}>
              <Money cedis={left} />
            </Detail>
          )}
          <Detail name={buyTexts.expected}>
            {network === 'WAEC Checkers'
              ? noSms
                ? buyTexts.pinOnPageTo
                : buyTexts.pinBySmsTo
              : network === 'AFA'
                ? buyTexts.mostlyADay
                : minutes === null
                  ? buyTexts.usuallyLong
                  : buyTexts.about(minutes)}
          </Detail>
        </Details>
      }
    >
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <p className="text-small text-muted">{network}</p>
          <Offer name={offer} size="figure" />
        </div>
        <NetworkArt network={network} size={44} />
      </div>
      <p className="mt-3 text-small text-muted">{buyTexts.receiver}</p>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="text-title font-bold whitespace-nowrap">{spacedPhone(phoneNumber)}</span>
        {name && <span className="min-w-0 text-title font-bold break-words">{name}</span>}
      </p>
    </Ticket>
  )
}
