import type { ReactNode } from 'react'
import { cardSurcharge, toCedis, toPesewas, topUpFor, withCardSurcharge } from '../../../../shared/money.ts'
import type { CheckoutItem } from '../../../../shared/orders.ts'
import { session } from '../../../lib/session.ts'
import { type Subject, together } from '../../../lib/subject.ts'
import { paymentTexts } from '../../../texts/payments.ts'
import { Button } from '../../../ui/button.tsx'
import { confirmAction } from '../../../ui/confirm-action.ts'
import { Detail, Details } from '../../../ui/details.tsx'
import { Money, moneyText } from '../../../ui/money.tsx'
import { aboutPrices, aboutTopUp } from '../../orders/purchases/about-prices.ts'
import type { PurchaseSource } from '../../orders/purchases/purchase-attempt.ts'
import { type CardOutcome, cardPhase, payByCard } from './pay-by-card.ts'

type Props = {
  items: CheckoutItem[]
  source: PurchaseSource
  cartIds?: readonly string[]
  disabled?: boolean
  /** It is what the screen is for, as the wallet has too little. Enter presses it too. */
  loud?: boolean
  /** What is bought and for whom, shown with the question. */
  bought?: ReactNode
  /** What the buyer should look at again, shown with the question. */
  warnings?: ReactNode
  /** Asks for what an item needs to be bought; null when the buyer would rather not. */
  prepare?: (item: CheckoutItem) => Promise<CheckoutItem | null>
  /** True while the provider's pop-up is open: a dialog of ours would cover it, so hide it. */
  onPaying?: (paying: boolean) => void
  /** What else the question is about, besides the prices and the wallet. */
  about?: Subject
  /** It is pressed: what went wrong before is over. */
  onPress?: () => void
  /** As for a payment by card: `paid` brings the orders, `refused` an error that has not been told. */
  onOutcome: (outcome: CardOutcome) => void
}

/**
 * One button that tops up what the wallet lacks for these items, by mobile money or card, and buys them. Place it where the balance
 * is stated; it shows nothing while the wallet covers them. The fee, and what happens if they can't be bought, are said before.
 */
export function TopUpAndBuy({
  items,
  source,
  cartIds = [],
  disabled = false,
  loud = false,
  bought,
  warnings = null,
  prepare,
  onPaying,
  onPress,
  about,
  onOutcome,
}: Props) {
  const balancePesewas = toPesewas(session.use()?.balance ?? 0)
  const phase = cardPhase.use()
  const pricePesewas = items.reduce((sum, { amount }) => sum + toPesewas(amount), 0)
  const topUpPesewas = topUpFor(pricePesewas, balancePesewas)
  if (topUpPesewas === 0) return null
  const chargePesewas = withCardSurcharge(topUpPesewas)

  const buy = async () => {
    const prepared: CheckoutItem[] = []
    for (const item of items) {
      const ready = prepare ? await prepare(item) : item
      if (!ready) return
      prepared.push(ready)
    }
    const subject = together(...(about ? [about] : []), aboutPrices(prepared), aboutTopUp(pricePesewas, topUpPesewas))
    if (!(await confirmTopUpAndBuy({ pricePesewas, balancePesewas, topUpPesewas }, bought, warnings, subject))) return
    onPaying?.(true)
    const purpose = { purpose: 'top-up', amount: toCedis(topUpPesewas), buy: { source, items: prepared, cartIds } } as const
    const outcome = await payByCard(purpose, chargePesewas)
    onPaying?.(false)
    onOutcome(outcome)
  }

  return (
    <Button
      block
      {...(loud ? { size: 'large', type: 'submit' } : { variant: 'secondary' })}
      disabled={disabled}
      busy={phase !== 'idle'}
      stub={<Money cedis={toCedis(chargePesewas)} />}
      onClick={(event) => {
        event.preventDefault()
        onPress?.()
        void buy()
      }}
    >
      {paymentTexts.topUpAndBuy(moneyText(toCedis(topUpPesewas)))}
    </Button>
  )
}

type Sums = { pricePesewas: number; balancePesewas: number; topUpPesewas: number }

function confirmTopUpAndBuy(
  { pricePesewas, balancePesewas, topUpPesewas }: Sums,
  bought: ReactNode,
  warnings: ReactNode,
  about: Subject,
): Promise<boolean> {
  const charge = moneyText(toCedis(withCardSurcharge(topUpPesewas)))
  return confirmAction({
    about,
    title: paymentTexts.topUpAndBuyTitle,
    question: paymentTexts.proceed,
    details: (
      <>
        {bought}
        <Details>
          <Detail name={paymentTexts.intoWallet}>
            <Money cedis={toCedis(topUpPesewas)} />
          </Detail>
          <Detail name={paymentTexts.providerFee}>
            <Money cedis={toCedis(cardSurcharge(topUpPesewas))} />
          </Detail>
          <Detail name={paymentTexts.total} strong>
            <Money cedis={toCedis(withCardSurcharge(topUpPesewas))} />
          </Detail>
          <Detail name={paymentTexts.fromWalletThen}>
            <Money cedis={toCedis(pricePesewas)} />
          </Detail>
          <Detail name={paymentTexts.leftThen}>
            <Money cedis={toCedis(balancePesewas + topUpPesewas - pricePesewas)} />
          </Detail>
        </Details>
        <p className="mt-3 text-body text-muted">{paymentTexts.ifNotBought(moneyText(toCedis(topUpPesewas)))}</p>
        {warnings}
      </>
    ),
    yes: paymentTexts.pay(charge),
  })
}
