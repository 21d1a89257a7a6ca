import type { ReactNode } from 'react'
import { cardSurcharge, toCedis, toPesewas, withCardSurcharge } from '../../../../shared/money.ts'
import type { Subject } from '../../../lib/subject.ts'
import { paymentTexts } from '../../../texts/payments.ts'
import { confirmAction } from '../../../ui/confirm-action.ts'
import { Detail, Details } from '../../../ui/details.tsx'
import { Money, moneyText } from '../../../ui/money.tsx'

type Shown = {
  priceName?: string
  /** What is bought and for whom. */
  bought?: ReactNode
  warnings?: ReactNode
  about: Subject
}

/** Shows the purchase with its receivers, and the charge, before anything is opened; true when the payer goes on. */
export function confirmCardCharge(
  price: number,
  { priceName = paymentTexts.price, bought = null, warnings = null, about }: Shown,
): Promise<boolean> {
  return confirmAction({
    about,
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
