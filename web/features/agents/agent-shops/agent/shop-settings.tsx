import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useState } from 'react'
import type { OwnShop, OwnShopOffer } from '../../../../../shared/agent-shops.ts'
import { messageOf, RefusedError } from '../../../../lib/http.ts'
import { session } from '../../../../lib/session.ts'
import { parseFields, useForm } from '../../../../lib/use-form.ts'
import { myShopTexts as texts } from '../../../../texts/my-shop.ts'
import { ThumbBar } from '../../../../ui/agent/thumb-bar.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Chip, ChipRow } from '../../../../ui/chip.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { SwitchField } from '../../../../ui/switch-field.tsx'
import { toast } from '../../../../ui/toast.ts'
import { subAgentsQuery, useChangePrices, useChangeShop } from './api.ts'
import { HostField } from './host-field.tsx'
import { LogoField } from './logo-field.tsx'
import { LookFields, lookProblems, toLook, valuesOf } from './look-fields.tsx'
import { movePrices, readLine, toPriceRequest } from './price-draft.ts'
import { PriceTicket } from './price-ticket.tsx'
import { ShareBox } from './share-box.tsx'
import { usePriceDraft } from './use-price-draft.ts'

type Props = {
  shop: OwnShop
  offers: readonly OwnShopOffer[]
  house: string
  /** It may be the agent above who closed it. */
  isUnder: boolean
}

/** Prices, name and look of the agent's shop, saved together. */
export function ShopSettings({ shop, offers, house, isUnder }: Props) {
  const changeShop = useChangeShop()
  const changePrices = useChangePrices()
  const { draft, keep } = usePriceDraft('shop-prices')
  const stored = valuesOf(shop)
  const lines = offers.map((offer) => readLine(offer, draft))
  const changed = lines.filter((line) => line.changed)
  const wrong = lines.filter(({ problem }) => problem !== null)

  const form = useForm({
    initial: stored,
    draft: { form: 'shop-look', fields: ['name', 'about', 'colour', 'phone', 'whatsapp'] },
    parse: (values) => parseFields(lookProblems(values), () => values),
    submit: async (values) => {
      if (changed.length > 0) {
        await changePrices.mutateAsync(toPriceRequest(changed))
        keep({})
      }
      const look = Object.entries(toLook(values)).filter(([name, value]) => value !== shop[name as keyof OwnShop])
      if (look.length > 0) await changeShop.mutateAsync(Object.fromEntries(look))
      toast.success(texts.saved)
    },
    onRefused: (message, error) =>
      toast.danger(
        error instanceof RefusedError && error.issues.length > 0 ? error.issues.map((issue) => issue.message).join(' ') : message,
      ),
  })
  const lookChanges = Object.entries(toLook(form.values)).filter(([name, value]) => value !== shop[name as keyof OwnShop]).length
  const changes = changed.length + lookChanges
  const networks = [...new Set(offers.map(({ network }) => network))]

  const moveAll = (by: Parameters<typeof movePrices>[2]) => {
    const moved = movePrices(offers, draft, by)
    keep(moved.draft)
    if (moved.atHighest > 0) toast.info(texts.atHighest(moved.atHighest))
  }
  const saveBar = (
    <>
      <p className="mb-1.5 flex min-h-6 items-center justify-between gap-3 text-small text-muted">
        <span>{changes === 0 ? texts.nothingChanged : <b className="text-ink">{texts.changed(changes)}</b>}</span>
        {wrong.length > 0 && <span className="font-semibold text-danger">{texts.mendCount(wrong.length)}</span>}
      </p>
      <Button type="submit" block size="large" busy={form.busy} disabled={changes === 0 || wrong.length > 0}>
        {wrong.length > 0 ? texts.mend(namesOf(wrong.map(({ offer }) => offer.offer))) : texts.save}
      </Button>
    </>
  )
  return (
    <form
      {...form.props}
      className="flex flex-col gap-x-8 gap-y-6 lg:grid lg:grid-cols-[minmax(0,1fr)_23rem] lg:grid-rows-[auto_minmax(0,1fr)]"
    >
      <div className="lg:col-start-2">
        {shop.closedByOwner && (
          <NoticeBox tone="danger" title={isUnder ? texts.isClosedNow : texts.closedByOwner(house)} className="mb-3">
            <p>{shop.closedByOwner}</p>
          </NoticeBox>
        )}
        <ShareBox shop={{ ...shop, ...toLook(form.values) }} />
      </div>
      <div className="flex min-w-0 flex-col gap-5 lg:col-start-1 lg:row-span-2 lg:row-start-1">
        {offers.length === 0 ? (
          <EmptyState title={texts.noOffers}>{texts.noOffersText}</EmptyState>
        ) : (
          <ChipRow label={texts.allPrices} wrap className="-mb-3">
            <Chip selected={lines.every(({ text }) => text === null)} onClick={() => moveAll('house')}>
              {texts.asHouse(house)}
            </Chip>
            {[50, 100].map((pesewas) => (
              <Chip key={pesewas} onClick={() => moveAll({ pesewas })}>
                {texts.each(`¢${(pesewas / 100).toFixed(2)}`)}
              </Chip>
            ))}
            <Chip onClick={() => moveAll({ percent: 5 })}>{texts.percent(5)}</Chip>
            {changed.length > 0 && <Chip onClick={() => keep({})}>{texts.undo}</Chip>}
          </ChipRow>
        )}
        {networks.map((network) => {
          const shown = lines.filter(({ offer }) => offer.network === network)
          return (
            <section key={network}>
              <div className="mb-2 flex items-baseline justify-between gap-3">
                <h2 className="text-large">{texts.prices(network)}</h2>
                <span className="text-small text-muted">
                  {texts.sold(offers.reduce((sum, offer) => sum + (offer.network === network ? offer.soldThisWeek : 0), 0))}
                </span>
              </div>
              <ul className="grid gap-2 min-[80rem]:grid-cols-2">
                {shown.map((line) => (
                  <PriceTicket
                    key={line.key}
                    line={line}
                    label={texts.priceOf(network, line.offer.offer)}
                    note={line.offer.state === 'not-available' ? texts.gone(house) : null}
                    onText={(text) => keep({ ...draft, [line.key]: { text, hidden: line.hidden } })}
                    onHidden={(hidden) => keep({ ...draft, [line.key]: { text: line.text, hidden } })}
                  />
                ))}
              </ul>
            </section>
          )
        })}
      </div>
      <aside className="flex min-w-0 flex-col gap-4 lg:col-start-2">
        <OpenSwitch shop={shop} />
        <h2 className="-mb-2 text-large">{texts.look}</h2>
        <LookFields
          field={form.field}
          valueField={form.valueField}
          colour={form.values.colour}
          onColour={(colour) => form.setValue('colour', colour)}
        />
        <LogoField logo={shop.logo} />
        <HostField host={shop.host} refused={shop.refusedHost} house={house} />
        {form.formError && (
          <p role="alert" className="text-body text-danger">
            {form.formError}
          </p>
        )}
        <div className="sticky bottom-0 hidden bg-paper py-3 lg:block">{saveBar}</div>
      </aside>
      <ThumbBar className="lg:hidden">{saveBar}</ThumbBar>
    </form>
  )
}

function OpenSwitch({ shop }: { shop: OwnShop }) {
  const change = useChangeShop()
  const isAgent = session.use()?.userLevel === 'Agent'
  const { data: under } = useQuery({ ...subAgentsQuery, enabled: isAgent })
  const selling = under?.selling ? under.subAgents.filter((one) => one.shop?.sells).length : 0
  const turn = async (open: boolean) => {
    let stopsSubAgents = false
    const details = (
      <>
        <p>{texts.closeDetails}</p>
        {selling > 0 && <StopSubAgents count={selling} onValue={(stops) => (stopsSubAgents = stops)} />}
      </>
    )
    if (!open && !(await confirmAction({ question: texts.closeQuestion, details, yes: texts.closeYes, danger: true }))) return
    try {
      await change.mutateAsync({ open, ...(stopsSubAgents ? { subAgentsSell: false } : {}) })
      toast.success(open ? texts.isOpen : texts.isClosed)
    } catch (error) {
      toast.danger(messageOf(error))
    }
  }
  return <SwitchField name="open" label={texts.openLabel} hint={texts.openHint} checked={shop.open} onValue={(open) => void turn(open)} />
}

/** Asks with the question: an own shop closes for the night, while sub-agents go on, or everything stops. */
function StopSubAgents({ count, onValue }: { count: number; onValue: (stops: boolean) => void }) {
  const [stops, setStops] = useState(false)
  return (
    <div className="mt-3 text-left">
      <SwitchField
        name="stopSubAgents"
        label={texts.stopSubAgents(count)}
        hint={texts.stopSubAgentsHint}
        checked={stops}
        onValue={(next) => {
          setStops(next)
          onValue(next)
        }}
      />
    </div>
  )
}

/** How the shop stands, beside the heading. */
export function ShopState({ shop }: { shop: OwnShop }) {
  const isOpen = shop.open && shop.closedByOwner === null
  return (
    <span className={`inline-flex items-center gap-1 font-semibold ${isOpen ? 'text-done' : 'text-pending'}`}>
      {isOpen && <Check className="size-4.5" aria-hidden="true" />}
      {isOpen ? texts.open : texts.closed}
    </span>
  )
}

function namesOf(names: readonly string[]): string {
  return names.length <= 2 ? names.join(' and ') : `${names[0]} and ${names.length - 1} more`
}
