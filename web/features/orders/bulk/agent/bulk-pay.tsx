import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import type { CheckedLine } from '../../../../../shared/bulk-lines.ts'
import { CARD_SURCHARGE_PERCENT, toCedis, toPesewas, topUpFor, withCardSurcharge } from '../../../../../shared/money.ts'
import { type BulkSums, sumLines } from '../../../../../shared/sum-bulk-lines.ts'
import { RefusedError } from '../../../../lib/http.ts'
import { oneAtATime } from '../../../../lib/one-at-a-time.ts'
import { session } from '../../../../lib/session.ts'
import { type Subject, together } from '../../../../lib/subject.ts'
import { bulkTexts } from '../../../../texts/bulk.ts'
import { ThumbBar } from '../../../../ui/agent/thumb-bar.tsx'
import { Button } from '../../../../ui/button.tsx'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { Detail, Details } from '../../../../ui/details.tsx'
import { Money, moneyText } from '../../../../ui/money.tsx'
import { NoticeBox } from '../../../../ui/notice-box.tsx'
import { Spinner } from '../../../../ui/spinner.tsx'
import { toast } from '../../../../ui/toast.ts'
import { cardPhase } from '../../../card/payments/pay-by-card.ts'
import { aboutPrices, aboutTopUp, aboutWallet } from '../../purchases/about-prices.ts'
import { reportRefusal } from '../../purchases/finish-purchase.ts'
import { bulkDraft, keepLines } from './bulk-draft.ts'
import { bulkPhase, payBulk } from './pay-bulk.ts'
import { askAboutList, openListPayment, payListByCard } from './pay-list-by-card.ts'
import { toBulkRequest } from './to-bulk-request.ts'

type Props = {
  sums: BulkSums
  /** All lines of the list; `count` leaves out those that are skipped. */
  lines: readonly CheckedLine[]
  count: number
  /** False until the shop has said which numbers have an order on its way. */
  isChecked: boolean
}

/** The book with its sums, and one payment for the lines that are ready. */
export function BulkPay({ sums, lines, count, isChecked }: Props) {
  const user = session.use()
  const [, navigate] = useLocation()
  // A card payment that isn't finished is opened again, not paid for in another way.
  const [byCard, setByCard] = useState(() => openListPayment.get()?.request.topUp === undefined && openListPayment.get() !== null)
  /** What the list cost when the shop said that prices had changed. */
  const [agreedCedis, setAgreedCedis] = useState<number>()
  const [refusal, setRefusal] = useState<string | null>(null)
  const phase = bulkPhase.use()
  const cardAt = cardPhase.use()
  const busy = phase !== 'idle' || cardAt !== 'idle'
  const [alone] = useState(oneAtATime)

  const { ready, cedis } = sums
  const balance = user?.balance ?? 0
  const [pricePesewas, balancePesewas] = [toPesewas(cedis), toPesewas(balance)]
  const missing = toCedis(Math.max(0, pricePesewas - balancePesewas))
  const affordable = countAffordable(ready, balance)
  const charge = toCedis(withCardSurcharge(pricePesewas))
  const { origin } = bulkDraft.use()
  const earlierCedis = agreedCedis ?? origin?.cedis
  const more = earlierCedis === undefined ? 0 : toCedis(pricePesewas - toPesewas(earlierCedis))

  const place = async (sent: readonly CheckedLine[]) => {
    const outcome = await payBulk(toBulkRequest(sent, lines, bulkDraft.get(), bulkTexts.reasons))
    if (outcome.status === 'refused') refuse(outcome.error)
    else follow(sent, outcome.job._id)
  }

  /** The prices are read anew, and what a list costs more than was agreed to is asked about. */
  const refuse = (error: Error) => {
    reportRefusal(error, setRefusal)
    if (error instanceof RefusedError && error.code === 'PRICE_CHANGED') setAgreedCedis(agreedCedis ?? cedis)
  }

  const follow = (sent: readonly CheckedLine[], listId: string) => {
    const done = new Set(sent.map(({ number }) => number))
    keepLines(lines.filter(({ number, state }) => state !== 'skipped' && !done.has(number)))
    toast.success(bulkTexts.paid(sent.length))
    navigate(`/agent/bulk/sent/${listId}`)
  }

  /** False while a card payment for the list may still come: it would be paid for twice. */
  const isFree = async () => {
    const outcome = await askAboutList().catch(() => ({ status: 'waiting' as const }))
    if (outcome.status === 'waiting') setRefusal(bulkTexts.cardUnderWay)
    if (outcome.status === 'paid') follow(ready, outcome.listId)
    return outcome.status === 'cancelled' || outcome.status === 'refused'
  }

  const payFor = async (sent: readonly CheckedLine[]) => {
    setRefusal(null)
    const price = sumLines(sent).cedis
    const left = count - sent.length
    const bought = aboutList(sent)
    const agreed = await confirmAction({
      about: together(bought, aboutWallet(toPesewas(price))),
      title: bulkTexts.payTitle,
      question: bulkTexts.payQuestion(sent.length),
      details: (
        <>
          <Details>
            {more > 0 && sent === ready && (
              <Detail name={bulkTexts.moreThanBefore}>
                <Money cedis={more} />
              </Detail>
            )}
            <Detail name={bulkTexts.fromWallet}>
              <Money cedis={price} />
            </Detail>
            <LeftInWallet price={price} />
          </Details>
          {left > 0 && <p className="mt-3 text-body text-muted">{bulkTexts.theRestStays(left)}</p>}
        </>
      ),
      yes: bulkTexts.yes,
      stub: <Money cedis={price} />,
    })
    if (!agreed || !(await isFree())) return
    const changed = bought.changed()
    if (changed === null) await place(sent)
    else setRefusal(changed)
  }

  /** By card or mobile money, for all lines or into the wallet what it lacks for them. The shop places the list as soon as it is paid. */
  const payWithCard = async (topUpPesewas: number | null) => {
    setRefusal(null)
    const paidPesewas = topUpPesewas ?? pricePesewas
    const chargePesewas = withCardSurcharge(paidPesewas)
    const bought = aboutList(ready)
    const agreed = await confirmAction({
      about: topUpPesewas === null ? bought : together(bought, aboutTopUp(pricePesewas, topUpPesewas)),
      title: topUpPesewas === null ? bulkTexts.payTitle : bulkTexts.topUpTitle,
      question: bulkTexts.payQuestion(ready.length),
      details: (
        <>
          <Details>
            {more > 0 && (
              <Detail name={bulkTexts.moreThanBefore}>
                <Money cedis={more} />
              </Detail>
            )}
            <Detail name={topUpPesewas === null ? bulkTexts.forLines : bulkTexts.topUpFirst}>
              <Money cedis={toCedis(paidPesewas)} />
            </Detail>
            <Detail name={bulkTexts.fee(CARD_SURCHARGE_PERCENT)}>
              <Money cedis={toCedis(chargePesewas - paidPesewas)} />
            </Detail>
            <Detail name={bulkTexts.youPayNow} strong>
              <Money cedis={toCedis(chargePesewas)} />
            </Detail>
            {topUpPesewas !== null && (
              <>
                <Detail name={bulkTexts.thenFromWallet}>
                  <Money cedis={cedis} />
                </Detail>
                <Detail name={bulkTexts.leftInWallet}>
                  <Money cedis={toCedis(balancePesewas + topUpPesewas - pricePesewas)} />
                </Detail>
              </>
            )}
          </Details>
          <p className="mt-3 text-body text-muted">{bulkTexts.ifNotPlaced}</p>
        </>
      ),
      yes: bulkTexts.yes,
      stub: <Money cedis={toCedis(chargePesewas)} />,
    })
    if (!agreed) return
    const list = toBulkRequest(ready, lines, bulkDraft.get(), bulkTexts.reasons)
    const outcome = await payListByCard({ ...list, ...(topUpPesewas !== null && { topUp: toCedis(topUpPesewas) }) }, chargePesewas)
    if (outcome.status === 'paid') follow(ready, outcome.listId)
    if (outcome.status === 'refused') refuse(outcome.error)
  }

  const isShort = missing > 0 && !byCard
  const mayNotPay = ready.length === 0 || busy || !isChecked
  return (
    <div className="contents lg:sticky lg:top-20 lg:block">
      <section className="ticket mt-4 border-t-7 border-net" aria-label={bulkTexts.book}>
        <div className="p-3">
          <p className="text-small text-muted">{bulkTexts.book}</p>
          <p className="text-hero font-bold">
            {sums.ready.length.toLocaleString('en-GH')} <span className="text-body font-normal text-muted">{bulkTexts.ofLines(count)}</span>
          </p>
          <dl className="mt-2.5 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5">
            {sums.networks.map(({ network, lines, cedis: of }) => (
              <Sum key={network} name={bulkTexts.networkLines(network, lines)} cedis={of} />
            ))}
            {sums.doubtful.length > 0 && (
              <>
                <dt className="text-small text-muted">{bulkTexts.notCounted(bulkTexts.toDecide(sums.doubtful.length))}</dt>
                <dd className="text-right text-small text-muted">
                  {bulkTexts.upTo} <Money cedis={sums.doubtfulCedis} />
                </dd>
              </>
            )}
            {sums.wrong.length > 0 && (
              <>
                <dt className="text-small text-muted">{bulkTexts.notCounted(bulkTexts.wrong(sums.wrong.length))}</dt>
                <dd className="text-right text-small text-muted">{bulkTexts.nothing}</dd>
              </>
            )}
          </dl>
        </div>
        <div className="perf" aria-hidden="true" />
        <div className="flex items-baseline justify-between gap-4 p-3">
          <span className="text-large font-bold">{bulkTexts.toPay}</span>
          <Money cedis={cedis} className="text-display" />
        </div>
      </section>
      <fieldset className="mt-3 hidden grid-cols-2 gap-2 lg:grid">
        <legend className="sr-only">{bulkTexts.payWith}</legend>
        <Way name={bulkTexts.wallet} chosen={!byCard} onChoose={() => setByCard(false)}>
          {missing > 0 ? bulkTexts.short : bulkTexts.leaves}{' '}
          <Money cedis={missing > 0 ? missing : toCedis(toPesewas(balance) - toPesewas(cedis))} />
        </Way>
        <Way name={bulkTexts.card} chosen={byCard} onChoose={() => setByCard(true)}>
          <Money cedis={charge} /> {bulkTexts.withFee(CARD_SURCHARGE_PERCENT)}
        </Way>
      </fieldset>
      {more > 0 && (
        <NoticeBox tone="pending" className="mt-3" title={bulkTexts.pricesRose(moneyText(more))}>
          {bulkTexts.pricesRoseText}
        </NoticeBox>
      )}
      {phase === 'checking' && (
        <NoticeBox tone="pending" className="mt-3" title={bulkTexts.checking} action={<Spinner className="size-5" />}>
          {bulkTexts.keepOpen}
        </NoticeBox>
      )}
      {refusal && !busy && (
        <NoticeBox tone="danger" className="mt-3">
          {refusal}
        </NoticeBox>
      )}
      <ThumbBar
        note={
          <>
            <span className={phase === 'checking' || more > 0 ? 'font-semibold text-pending' : undefined}>
              {phase === 'checking'
                ? bulkTexts.keepOpen
                : sums.ready.length === 0
                  ? bulkTexts.nothingReady
                  : !isChecked
                    ? bulkTexts.checkingLines
                    : more > 0
                      ? bulkTexts.pricesRose(moneyText(more))
                      : byCard
                        ? bulkTexts.byCard
                        : missing > 0
                          ? bulkTexts.walletShort(moneyText(balance), moneyText(missing))
                          : bulkTexts.walletLeaves(moneyText(balance), moneyText(toCedis(toPesewas(balance) - toPesewas(cedis))))}
            </span>
            {sums.ready.length > 0 && !busy && (
              <button
                type="button"
                onClick={() => setByCard(!byCard)}
                className="min-h-11 text-body font-semibold text-brand-text lg:hidden"
              >
                {byCard ? bulkTexts.useWallet : bulkTexts.useCard}
              </button>
            )}
          </>
        }
      >
        {isShort ? (
          <div className="flex flex-col gap-2">
            <Button
              block
              size="large"
              disabled={mayNotPay}
              busy={busy}
              stub={<Money cedis={toCedis(withCardSurcharge(topUpFor(pricePesewas, balancePesewas)))} />}
              onClick={() => void alone(() => payWithCard(topUpFor(pricePesewas, balancePesewas)))}
            >
              {bulkTexts.topUpAndPay(moneyText(toCedis(topUpFor(pricePesewas, balancePesewas))))}
            </Button>
            {affordable > 0 && (
              <Button
                block
                variant="secondary"
                disabled={mayNotPay}
                stub={<Money cedis={sumLines(ready.slice(0, affordable)).cedis} />}
                onClick={() => void alone(() => payFor(ready.slice(0, affordable)))}
              >
                {bulkTexts.payFewer(affordable)}
              </Button>
            )}
          </div>
        ) : (
          <Button
            block
            size="large"
            disabled={mayNotPay}
            busy={busy}
            stub={<Money cedis={byCard ? charge : cedis} />}
            onClick={() => void alone(byCard ? () => payWithCard(null) : () => payFor(ready))}
          >
            {count === ready.length ? bulkTexts.pay(ready.length) : bulkTexts.payReady(ready.length)}
          </Button>
        )}
      </ThumbBar>
      <p className="mt-2 hidden text-small text-muted lg:block">{bulkTexts.notCharged}</p>
    </div>
  )
}

/** The list is still the same, in every tab, and so are its prices. */
function aboutList(lines: readonly CheckedLine[]): Subject {
  const asked = bulkDraft.get()
  const list: Subject = {
    on: [bulkDraft],
    changed() {
      bulkDraft.reread()
      const now = bulkDraft.get()
      return now === asked || JSON.stringify(now) === JSON.stringify(asked) ? null : bulkTexts.listMeanwhile
    },
  }
  const items = lines.flatMap(({ item }) => (item ? [{ productId: item.productId, offer: item.offer, amount: item.cedis }] : []))
  return together(list, aboutPrices(items))
}

/** Another tab may buy while this is asked. */
function LeftInWallet({ price }: { price: number }) {
  const left = toPesewas(session.use()?.balance ?? 0) - toPesewas(price)
  return (
    <Detail name={bulkTexts.leftInWallet}>
      <Money cedis={toCedis(Math.max(0, left))} />
    </Detail>
  )
}

function Sum({ name, cedis }: { name: string; cedis: number }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="text-right">
        <Money cedis={cedis} />
      </dd>
    </>
  )
}

type WayProps = { name: string; chosen: boolean; onChoose: () => void; children: ReactNode }

function Way({ name, chosen, onChoose, children }: WayProps) {
  return (
    <label className="flex min-h-13 items-center gap-2.5 rounded-box border border-line-strong bg-surface px-3 py-1.5 leading-[1.2] font-semibold has-checked:border-brand-text has-checked:bg-brand-soft">
      <input type="radio" name="pay-with" checked={chosen} onChange={onChoose} className="size-5 shrink-0 accent-brand" />
      <span>
        {name}
        <span className="block text-small font-normal text-muted">{children}</span>
      </span>
    </label>
  )
}

/** How many of the lines, from the first, a balance pays for. */
function countAffordable(lines: readonly CheckedLine[], balance: number): number {
  let left = toPesewas(balance)
  const stop = lines.findIndex(({ item }) => {
    left -= toPesewas(item?.cedis ?? 0)
    return left < 0
  })
  return stop === -1 ? lines.length : stop
}
