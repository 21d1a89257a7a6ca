import { Eye, EyeOff } from 'lucide-react'
import { formatPesewas } from '../../../../../shared/money.ts'
import { readTypedAmount } from '../../../../lib/typed-amount.ts'
import { myShopTexts as texts } from '../../../../texts/my-shop.ts'
import { IconButton } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { networkClass } from '../../../../ui/network-art.tsx'
import { Offer } from '../../../../ui/ticket.tsx'
import { offerParts } from '../../../catalogue/products/offer-parts.ts'
import type { PriceLine } from './price-draft.ts'

type Props = {
  line: PriceLine
  label: string
  /** Instead of the price's bounds. */
  note: string | null
  onText: (text: string) => void
  /** Where the agent may take it off sale. */
  onHidden?: (hidden: boolean) => void
}

/** One package: what it costs the agent, their price within its bounds, and on the counterfoil what they keep. */
export function PriceTicket({ line: { key, offer, text, hidden, pesewas, keep, problem }, label, note: remark, onText, onHidden }: Props) {
  const { network, cost, lowest, highest } = offer
  const { name, note } = offerParts(network, offer.offer)
  const id = `price-${key.replace(/\W+/g, '-')}`
  const bounds = texts.between(lowest.toFixed(2), highest.toFixed(2))
  const understood = text === null ? null : readTypedAmount(text).understood
  return (
    <li
      className={classNames(
        'ticket ticket-row min-h-21 flex-wrap',
        networkClass(network),
        problem && '[--rim:var(--danger)]',
        hidden && 'bg-transparent!',
      )}
    >
      <span aria-hidden="true" className="absolute inset-y-0 w-1.75 bg-net" />
      {/* What does not fit beside the field stands below it: the price is never cut. */}
      <div className="flex min-w-0 grow basis-56 flex-wrap items-center gap-x-1 py-2 pl-4.25">
        <div className="min-w-0 grow basis-21">
          {/^\d+(?:[.,]\d+)* ?[GM]B$/i.test(name) ? (
            <Offer name={name} />
          ) : (
            <span className="block text-small leading-[1.2] font-bold hyphens-auto">{name}</span>
          )}
          {note && <span className="block truncate text-small text-muted">{note}</span>}
          <span className="block text-small whitespace-nowrap text-muted">{texts.cost(cost.toFixed(2))}</span>
        </div>
        <div className="flex min-w-0 grow-[9] basis-[7.5rem] items-center">
          {hidden ? (
            <span className="min-w-0 flex-1 text-small text-muted">{texts.notSold}</span>
          ) : (
            <span className="relative block min-w-0 flex-1">
              <span aria-hidden="true" className="absolute inset-y-0 left-2.5 flex items-center text-muted">
                ¢
              </span>
              <input
                id={id}
                inputMode="decimal"
                autoComplete="off"
                value={text ?? formatPesewas(pesewas ?? 0)}
                aria-label={label}
                aria-describedby={`${id}-note`}
                aria-invalid={problem ? true : undefined}
                onChange={(event) => onText(event.currentTarget.value)}
                className="tabular min-h-11 w-full rounded-box border border-line-strong bg-surface pr-1 pl-6 text-large font-bold aria-invalid:border-danger"
              />
            </span>
          )}
          {onHidden && (
            <IconButton
              label={hidden ? texts.show(`${network} ${offer.offer}`) : texts.hide(`${network} ${offer.offer}`)}
              onClick={() => onHidden(!hidden)}
            >
              {hidden ? <EyeOff className="size-5" aria-hidden="true" /> : <Eye className="size-5" aria-hidden="true" />}
            </IconButton>
          )}
        </div>
        {!hidden && (
          <p
            id={`${id}-note`}
            className={classNames(
              'text-small leading-[1.3]',
              'basis-full',
              problem ? 'pt-1 pr-2 font-semibold text-danger' : 'pl-[min(5.5rem,28vw)] text-muted',
            )}
          >
            {understood && <b className="tabular text-ink">{understood} </b>}
            {problem ?? remark ?? bounds}
          </p>
        )}
      </div>
      <span className="perf-down" aria-hidden="true" />
      <span
        className={classNames(
          'ml-auto flex min-w-18.5 shrink-0 flex-col justify-center pr-2.5 text-right leading-[1.25]',
          hidden ? 'text-muted' : keep !== null && keep < 0 ? 'bg-danger-soft text-danger' : 'bg-brand-soft text-brand-text',
        )}
      >
        {!hidden && (
          <>
            <span className="text-small whitespace-nowrap">{keep !== null && keep < 0 ? texts.lose : texts.keep}</span>
            <b className="tabular text-large">{keep === null ? '–' : formatPesewas(Math.abs(keep))}</b>
          </>
        )}
      </span>
    </li>
  )
}
