import type { ReactNode } from 'react'
import { CARD_SURCHARGE_PERCENT, cardSurcharge, toCedis, toPesewas, withCardSurcharge } from '../../../shared/money.ts'
import { confirmAction } from '../../ui/confirm-action.ts'
import { Detail, Details } from '../../ui/details.tsx'
import { Money, moneyText } from '../../ui/money.tsx'

/** Shows what the card will be charged before anything is opened; true when the payer goes on. */
export function confirmCardCharge(price: number, priceName = 'Price', warnings: ReactNode = null): Promise<boolean> {
  return confirmAction({
    title: 'Pay without wallet (card)',
    question: 'Are you sure you want to proceed to checkout now?',
    details: (
      <>
        <CardCharge price={price} priceName={priceName} />
        {warnings}
      </>
    ),
    yes: `Pay ${moneyText(toCedis(withCardSurcharge(toPesewas(price))))} by card`,
    no: 'Cancel',
  })
}

function CardCharge({ price, priceName = 'Price' }: { price: number; priceName?: string }) {
  const pesewas = toPesewas(price)
  return (
    <Details>
      <Detail name={priceName}>
        <Money cedis={price} />
      </Detail>
      <Detail name={`Card surcharge (${CARD_SURCHARGE_PERCENT}%)`}>
        <Money cedis={toCedis(cardSurcharge(pesewas))} />
      </Detail>
      <Detail name="Total" strong>
        <Money cedis={toCedis(withCardSurcharge(pesewas))} />
      </Detail>
    </Details>
  )
}
