import type { ReactNode } from 'react'
import { cardSurcharge, toCedis, toPesewas, withCardSurcharge } from '../../../shared/money.ts'
import { paymentTexts } from '../../texts/payments.ts'
import { confirmAction } from '../../ui/confirm-action.ts'
import { Detail, Details } from '../../ui/details.tsx'
import { Money, moneyText } from '../../ui/money.tsx'

/** Shows the purchase with its receivers, and the charge, before anything is opened; true when the payer goes on. */
export function confirmCardCharge(
  price: number,
  priceName: string = paymentTexts.price,
  bought: ReactNode = null,
  warnings: ReactNode = null,
): Promise<boolean> {
  return confirmAction({
    title: paymentTexts.withoutWallet,
    question: paymentTexts.proceed,
    details: (
      <>
        {bought}
        <CardCharge price={price} priceName={priceName} />
        <p className="mt-3 text-body text-muted">{paymentTexts.momoToo}</p>
        {warnings}
      </>
    ),
    yes: paymentTexts.pay(moneyText(toCedis(withCardSurcharge(toPesewas(price))))),
  })
}

function CardCharge({ price, priceName }: { price: number; priceName: string }) {
  const pesewas = toPesewas(price)
  return (
    <Details>
      <Detail name={priceName}>
        <Money cedis={price} />
      </Detail>
      <Detail name={paymentTexts.surcharge}>
        <Money cedis={toCedis(cardSurcharge(pesewas))} />
      </Detail>
      <Detail name={paymentTexts.total} strong>
        <Money cedis={toCedis(withCardSurcharge(pesewas))} />
      </Detail>
    </Details>
  )
}
