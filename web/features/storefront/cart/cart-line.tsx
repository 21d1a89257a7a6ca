import { smallImage } from '../../../../shared/images.ts'
import { type Network, prefixWarning } from '../../../../shared/networks.ts'
import { phoneProblem, spacedPhone } from '../../../../shared/phones.ts'
import { cartTexts } from '../../../texts/cart.ts'
import { Money, moneyText } from '../../../ui/money.tsx'
import { TicketRow } from '../../../ui/ticket.tsx'
import { offerParts } from '../../catalogue/products/offer-parts.ts'
import type { CartItem } from './cart.ts'
import type { CartChange } from './reprice-cart.ts'

type LineProps = {
  number: number
  item: CartItem
  /** The customer's own name for the receiver. */
  name: string | null
  gone: boolean
  change: CartChange | undefined
  disabled: boolean
  onRemove: () => void
}

/** One ticket of the cart; a long name takes more lines, and the price is never cut. */
export function CartLine({ number, item, name, gone, change, disabled, onRemove }: LineProps) {
  const warning = prefixWarning(item.service as Network, item.phoneNumber, offerParts(item.service, item.offer).operator)
  const problem = phoneProblem(item.phoneNumber)
  return (
    <TicketRow
      network={gone ? '' : item.service}
      image={item.image && smallImage(item.image)}
      title={
        <>
          <span className="text-small font-normal text-muted">{number}</span> <span className="text-title">{item.offer}</span>{' '}
          <span className="text-small font-normal text-muted">{item.service}</span>
        </>
      }
      subtitle={
        <>
          {name && <span className="block text-body break-words text-ink">{name}</span>}
          <span className="block">{spacedPhone(item.phoneNumber)}</span>
          {warning && <span className="mt-1 block text-pending">{warning}</span>}
          {problem && <span className="mt-1 block font-semibold text-danger">{cartTexts.addAgain(problem)}</span>}
          {gone && <span className="mt-1 block font-semibold text-danger">{cartTexts.gone}</span>}
          {!gone && change?.kind === 'price' && (
            <span className="mt-1 block font-semibold text-pending">
              {cartTexts.priceChanged(moneyText(change.before), moneyText(change.now))}
            </span>
          )}
        </>
      }
      stub={
        <span className="-my-1 -mr-2 flex flex-1 flex-col items-end justify-between">
          <Money cedis={item.amount} className="pr-2 text-large" />
          <button
            type="button"
            disabled={disabled}
            onClick={onRemove}
            aria-label={cartTexts.removeLine(item.service, item.offer, item.phoneNumber)}
            className="-mb-1 min-h-11 rounded-box px-2 text-small font-semibold text-danger hover:bg-danger-soft disabled:opacity-50"
          >
            {cartTexts.remove}
          </button>
        </span>
      }
    />
  )
}

/** Keeps the place of a removed line, so that the next one does not move under the thumb. */
export function RemovedLine({ item, name, onUndo }: { item: CartItem; name: string | null; onUndo: () => void }) {
  return (
    <div className="flex min-h-19 items-center justify-between gap-3 rounded-box border border-dashed border-line-strong pl-4">
      <p role="status" className="py-2 text-body text-muted">
        {cartTexts.removed(item.offer, name ?? spacedPhone(item.phoneNumber))}
      </p>
      <button
        type="button"
        // biome-ignore lint/a11y/noAutofocus: the button that was pressed is gone, and this takes its place.
        autoFocus
        onClick={onUndo}
        className="min-h-11 shrink-0 rounded-box px-4 font-semibold text-brand-text underline-offset-4 hover:underline"
      >
        {cartTexts.undo}
      </button>
    </div>
  )
}
