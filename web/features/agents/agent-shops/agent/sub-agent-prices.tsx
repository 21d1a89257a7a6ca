import { usualSubAgentPesewas } from '../../../../../shared/agent-shop-rules.ts'
import { toCedis, toPesewas } from '../../../../../shared/money.ts'
import type { SubAgentOffer } from '../../../../../shared/sub-agents.ts'
import { messageOf, RefusedError } from '../../../../lib/http.ts'
import { queryClient } from '../../../../lib/query-client.ts'
import { myShopTexts } from '../../../../texts/my-shop.ts'
import { subAgentTexts as texts } from '../../../../texts/sub-agents.ts'
import { ThumbBar } from '../../../../ui/agent/thumb-bar.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Chip, ChipRow } from '../../../../ui/chip.tsx'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { toast } from '../../../../ui/toast.ts'
import { subAgentsQuery, useChangeSubAgentPrices } from './api.ts'
import { movePrices, type PricedOffer, readLine, toPriceRequest } from './price-draft.ts'
import { PriceTicket } from './price-ticket.tsx'
import { usePriceDraft } from './use-price-draft.ts'

/** What sub-agents pay per package, by network, each within its range; whatever the agent leaves alone follows the agent's cost. */
export function SubAgentPrices({ offers }: { offers: readonly SubAgentOffer[] }) {
  const change = useChangeSubAgentPrices()
  const { draft, keep } = usePriceDraft('sub-agent-prices')
  const priced = offers.map(toPricedOffer)
  const lines = priced.map((offer) => readLine(offer, draft))
  const changed = lines.filter((line) => line.changed)
  const wrong = lines.filter(({ problem }) => problem !== null)
  const networks = [...new Set(offers.map(({ network }) => network))]

  const save = async () => {
    try {
      await change.mutateAsync(toPriceRequest(changed).map(({ productId, offer, price }) => ({ productId, offer, price })))
      keep({})
      toast.success(texts.saved)
    } catch (error) {
      const issues = error instanceof RefusedError ? error.issues : []
      toast.danger(issues.length > 0 ? issues.map(({ message }) => message).join(' ') : messageOf(error))
      // The owner may have changed a cost meanwhile: what was typed stays, beside the bounds of now.
      if (issues.length > 0) await queryClient.invalidateQueries({ queryKey: subAgentsQuery.queryKey })
    }
  }
  const moveAll = (by: Parameters<typeof movePrices>[2]) => {
    const moved = movePrices(priced, draft, by)
    keep(moved.draft)
    if (moved.atHighest > 0) toast.info(myShopTexts.atHighest(moved.atHighest))
  }
  if (offers.length === 0) return <EmptyState title={texts.prices}>{texts.noPrices}</EmptyState>
  const first = wrong[0]?.offer
  return (
    <form
      className="flex flex-col gap-5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (changed.length > 0 && wrong.length === 0) void save()
      }}
    >
      <div>
        <h2 className="text-large">{texts.prices}</h2>
        <p className="text-small text-muted">{texts.pricesHint}</p>
      </div>
      <ChipRow label={myShopTexts.allPrices} wrap className="-mb-2">
        <Chip selected={lines.every(({ text }) => text === null)} onClick={() => moveAll('house')}>
          {texts.usual}
        </Chip>
        {[10, 50].map((pesewas) => (
          <Chip key={pesewas} onClick={() => moveAll({ pesewas })}>
            {myShopTexts.each(`¢${(pesewas / 100).toFixed(2)}`)}
          </Chip>
        ))}
        {changed.length > 0 && <Chip onClick={() => keep({})}>{myShopTexts.undo}</Chip>}
      </ChipRow>
      {networks.map((network) => (
        <section key={network} aria-label={texts.pricesOf(network)}>
          <h3 className="mb-2 text-large">{network}</h3>
          <ul className="grid gap-2 min-[80rem]:grid-cols-2">
            {lines
              .filter(({ offer }) => offer.network === network)
              .map((line) => (
                <PriceTicket
                  key={line.key}
                  line={line}
                  label={texts.priceOf(network, line.offer.offer)}
                  note={noteOf(line.offer, line.changed)}
                  onText={(text) => keep({ ...draft, [line.key]: { text, hidden: false } })}
                />
              ))}
          </ul>
        </section>
      ))}
      {(changed.length > 0 || wrong.length > 0) && (
        <ThumbBar className="lg:sticky lg:bottom-0 lg:bg-paper lg:py-3">
          <p role="status" className="mb-1.5 flex min-h-6 items-center justify-between gap-3 text-small text-muted">
            <span>{changed.length === 0 ? myShopTexts.nothingChanged : <b className="text-ink">{texts.unsaved(changed.length)}</b>}</span>
            {wrong.length > 0 && <span className="font-semibold text-danger">{myShopTexts.mendCount(wrong.length)}</span>}
          </p>
          <Button type="submit" block size="large" busy={change.isPending} disabled={changed.length === 0 || wrong.length > 0}>
            {first ? myShopTexts.mend(`${first.network} ${first.offer}`) : texts.save}
          </Button>
        </ThumbBar>
      )}
    </form>
  )
}

function toPricedOffer({ state, ...offer }: SubAgentOffer): PricedOffer {
  const usual = usualSubAgentPesewas(toPesewas(offer.cost), toPesewas(offer.lowest))
  return { ...offer, state, housePrice: toCedis(usual) }
}

/** What stands below a price instead of its bounds. */
function noteOf({ state }: PricedOffer, isChanged: boolean): string | null {
  if (state === 'not-available') return texts.notAvailable
  return state === 'below-cost' && !isChanged ? texts.notSold : null
}
