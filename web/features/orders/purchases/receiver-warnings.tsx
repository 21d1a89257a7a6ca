import { type Network, prefixWarning } from '../../../../shared/networks.ts'
import { spacedPhone } from '../../../../shared/phones.ts'
import { checkoutTexts } from '../../../texts/checkout.ts'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { offerParts } from '../../catalogue/products/offer-parts.ts'

const MOST_SHOWN = 5

/** What may be wrong with the receivers of a purchase; each number of a network is mentioned once. */
export function receiverWarnings(lines: readonly { network: Network; phoneNumber: string; offer: string }[]): string[] {
  const found = lines.flatMap(({ network, phoneNumber, offer }) => {
    const warning = prefixWarning(network, phoneNumber, offerParts(network, offer).operator)
    return warning ? [`${spacedPhone(phoneNumber)}: ${warning}`] : []
  })
  return [...new Set(found)]
}

/** The same warnings in the confirmation. */
export function ReceiverWarnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null
  const more = warnings.length - MOST_SHOWN
  return (
    <div className="mt-4">
      <NoticeBox tone="pending" title={checkoutTexts.checkNumbers(warnings.length)}>
        <ul className="flex flex-col gap-1">
          {warnings.slice(0, MOST_SHOWN).map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
          {more > 0 && <li>{checkoutTexts.moreInCart(more)}</li>}
        </ul>
      </NoticeBox>
    </div>
  )
}
