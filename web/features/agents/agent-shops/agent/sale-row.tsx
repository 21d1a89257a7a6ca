import type { ShopSale } from '../../../../../shared/agent-shops.ts'
import { formatShortTime } from '../../../../../shared/dates.ts'
import { shopNow } from '../../../../lib/clock.ts'
import { myShopTexts as texts } from '../../../../texts/my-shop.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { Money } from '../../../../ui/money.tsx'
import { StatusPunches } from '../../../../ui/punches.tsx'
import { TicketRow } from '../../../../ui/ticket.tsx'

/** A sale as a ticket; its stub says what the agent keeps of it. */
export function SaleRow({ sale }: { sale: ShopSale }) {
  return (
    <TicketRow
      network={sale.network}
      title={texts.toGuest(sale.offer)}
      subtitle={
        <span className="flex flex-wrap items-center gap-x-2">
          <SaleStatus sale={sale} />
          <span className="tabular whitespace-nowrap">
            {sale.receiver} · {formatShortTime(new Date(sale.createdAt), shopNow())}
          </span>
        </span>
      }
      stub={<Kept sale={sale} />}
    />
  )
}

export function SaleStatus({ sale: { status, share } }: { sale: ShopSale }) {
  return <StatusPunches status={status} note={share === 'none' || share === 'taken-back' ? texts.refunded : undefined} />
}

/** What the agent keeps, and whether it is theirs yet. */
export function Kept({ sale: { keep, share } }: { sale: ShopSale }) {
  return (
    <>
      {share !== 'none' && (
        <Money
          cedis={share === 'taken-back' ? -keep : keep}
          signed={share !== 'waiting'}
          className={classNames(share === 'earned' ? 'text-done' : share === 'taken-back' ? 'text-danger' : 'text-pending')}
        />
      )}
      <span className="text-small text-muted">{texts.shares[share]}</span>
    </>
  )
}
