import { useState } from 'react'
import { parseCedis, toCedis, toPesewas } from '../../../../shared/money.ts'
import type { SubAgentOffer } from '../../../../shared/sub-agents.ts'
import { messageOf } from '../../../lib/http.ts'
import { subAgentTexts as texts } from '../../../texts/sub-agents.ts'
import { Button } from '../../../ui/button.tsx'
import { moneyText } from '../../../ui/money.tsx'
import { MoneyField } from '../../../ui/money-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { useChangeSubAgentPrices } from './api.ts'

const keyOf = ({ productId, offer }: SubAgentOffer) => `${productId} ${offer}`
const storedOf = ({ own, price }: SubAgentOffer) => (own ? price.toFixed(2) : '')

/** What sub-agents pay per package, each within its range; an empty field is 5 percent above the cost. */
export function SubAgentPrices({ offers }: { offers: readonly SubAgentOffer[] }) {
  const change = useChangeSubAgentPrices()
  const [typed, setTyped] = useState<Record<string, string>>({})
  const lines = offers.map((offer) => {
    const text = typed[keyOf(offer)] ?? storedOf(offer)
    const pesewas = text === '' ? null : parseCedis(text)
    const isChanged = text !== storedOf(offer)
    const isOutside = text !== '' && (pesewas === null || pesewas < toPesewas(offer.lowest) || pesewas > toPesewas(offer.highest))
    return { offer, text, pesewas, isChanged, problem: isChanged && isOutside }
  })
  const changed = lines.filter(({ isChanged }) => isChanged)
  const save = async () => {
    try {
      await change.mutateAsync(
        changed.map(({ offer: { productId, offer }, pesewas }) => ({
          productId,
          offer,
          price: pesewas === null ? null : toCedis(pesewas),
        })),
      )
      setTyped({})
      toast.success(texts.saved)
    } catch (error) {
      toast.danger(messageOf(error))
    }
  }
  return (
    <form
      className="flex flex-col gap-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div>
        <h2 className="text-large">{texts.prices}</h2>
        <p className="text-small text-muted">{offers.length === 0 ? texts.noPrices : texts.pricesHint}</p>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        {lines.map(({ offer, text, problem }) => (
          <MoneyField
            key={keyOf(offer)}
            label={texts.priceOf(offer.network, offer.offer)}
            placeholder={offer.own ? '0.00' : offer.price.toFixed(2)}
            value={text}
            error={problem ? texts.outside(moneyText(offer.lowest), moneyText(offer.highest)) : undefined}
            warning={offer.state === 'below-cost' ? texts.notSold : undefined}
            hint={
              offer.state === 'not-available'
                ? texts.notAvailable
                : texts.range(moneyText(offer.cost), moneyText(offer.lowest), moneyText(offer.highest))
            }
            onValue={(next) => setTyped({ ...typed, [keyOf(offer)]: next })}
          />
        ))}
      </div>
      {offers.length > 0 && (
        <Button
          type="submit"
          size="large"
          busy={change.isPending}
          disabled={changed.length === 0 || lines.some(({ problem }) => problem)}
          className="sticky bottom-20 lg:bottom-3"
        >
          {texts.save}
        </Button>
      )}
    </form>
  )
}
