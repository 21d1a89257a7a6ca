import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import type { CheckedLine } from '../../../../shared/bulk-lines.ts'
import { MAX_CHECKOUT_ITEMS } from '../../../../shared/limits.ts'
import { CARD_SURCHARGE_PERCENT, toCedis, toPesewas, withCardSurcharge } from '../../../../shared/money.ts'
import type { CheckoutItem, Order } from '../../../../shared/orders.ts'
import { type BulkSums, sumLines } from '../../../../shared/sum-bulk-lines.ts'
import { oneAtATime } from '../../../lib/one-at-a-time.ts'
import { session } from '../../../lib/session.ts'
import { bulkTexts } from '../../../texts/bulk.ts'
import { ThumbBar } from '../../../ui/agent/thumb-bar.tsx'
import { Button } from '../../../ui/button.tsx'
import { confirmAction } from '../../../ui/confirm-action.ts'
import { Detail, Details } from '../../../ui/details.tsx'
import { Money, moneyText } from '../../../ui/money.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { CheckingNotice } from '../../checkout/checking-notice.tsx'
import { finishPurchase, reportRefusal } from '../../checkout/finish-purchase.ts'
import { checkoutPhase, payFromWallet } from '../../checkout/pay-from-wallet.ts'
import { agreeToPayAgain } from '../../payments/agree-to-pay-again.tsx'
import { confirmCardCharge } from '../../payments/confirm-card-charge.tsx'
import { cardPhase, payByCard } from '../../payments/pay-by-card.ts'
import { TopUpAndBuy } from '../../payments/top-up-and-buy.tsx'
import { keepLines, useBulkLines } from './bulk-draft.ts'
import { placedBulk } from './placed-bulk.ts'

/** The book with its sums, and one payment for the lines that are ready. */
export function BulkPay({ sums, count }: { sums: BulkSums; count: number }) {
  const user = session.use()
  const { lines: all } = useBulkLines()
  const [, navigate] = useLocation()
  const [byCard, setByCard] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const walletAt = checkoutPhase.use()
  const cardAt = cardPhase.use()
  const busy = walletAt.phase !== 'idle' || cardAt !== 'idle'
  const [alone] = useState(oneAtATime)

  const paid = sums.ready.slice(0, MAX_CHECKOUT_ITEMS)
  const { cedis } = paid.length === sums.ready.length ? sums : sumLines(paid)
  const balance = user?.balance ?? 0
  const missing = toCedis(Math.max(0, toPesewas(cedis) - toPesewas(balance)))
  const affordable = countAffordable(paid, balance)
  const charge = toCedis(withCardSurcharge(toPesewas(cedis)))

  const finish = (sent: readonly CheckedLine[], orders: readonly Order[]) => {
    // What could not be bought after a payment by card is in the wallet, and the lines stay.
    if (orders.length === 0) return
    placedBulk.set({ at: new Date().toISOString(), lines: sent.map(({ number, text }) => ({ number, text })), orders: [...orders] })
    const done = new Set(sent.map(({ number }) => number))
    keepLines(all.filter(({ number, state }) => state !== 'skipped' && !done.has(number)))
    navigate('/agent/bulk/sent')
  }
  const refuse = (error: Error) => {
    reportRefusal(error)
    setRefusal(error.message)
  }

  const payFor = async (sent: readonly CheckedLine[]) => {
    setRefusal(null)
    const items = toItems(sent)
    const price = sumLines(sent).cedis
    const left = count - sent.length
    const agreed = await confirmAction({
      title: bulkTexts.payTitle,
      question: bulkTexts.payQuestion(sent.length),
      details: (
        <>
          <Details>
            <Detail name={bulkTexts.fromWallet}>
              <Money cedis={price} />
            </Detail>
            <Detail name={bulkTexts.leftInWallet}>
              <Money cedis={toCedis(toPesewas(balance) - toPesewas(price))} />
            </Detail>
          </Details>
          {left > 0 && <p className="mt-3 text-body text-muted">{bulkTexts.theRestStays(left)}</p>}
        </>
      ),
      yes: bulkTexts.yes,
      stub: <Money cedis={price} />,
      no: bulkTexts.no,
    })
    if (!agreed || !(await agreeToPayAgain({ purpose: 'order', items }))) return
    const outcome = await payFromWallet(items, 'bulk')
    if (outcome.status === 'placed') {
      finishPurchase('bulk', items)
      finish(sent, outcome.reply.orders)
    } else refuse(outcome.error)
  }

  const payWithCard = async () => {
    setRefusal(null)
    if (!(await confirmCardCharge(cedis, bulkTexts.lines(paid.length)))) return
    const items = toItems(paid)
    const outcome = await payByCard({ purpose: 'order', source: 'bulk', items, cartIds: [] }, toPesewas(charge))
    if (outcome.status === 'paid') finish(paid, outcome.reply.orders)
    if (outcome.status === 'refused') refuse(outcome.error)
  }

  const isShort = missing > 0 && !byCard
  return (
    <div className="contents lg:sticky lg:top-20 lg:block">
      <section className="ticket mt-4 border-t-7 border-net" aria-label={bulkTexts.book}>
        <div className="p-3">
          <p className="text-small text-muted">{bulkTexts.book}</p>
          <p className="text-hero font-bold">
            {sums.ready.length} <span className="text-body font-normal text-muted">{bulkTexts.ofLines(count)}</span>
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
      <CheckingNotice source="bulk" />
      {refusal && !busy && (
        <NoticeBox tone="danger" className="mt-3">
          {refusal}
        </NoticeBox>
      )}
      {sums.ready.length > MAX_CHECKOUT_ITEMS && (
        <NoticeBox tone="info" className="mt-3">
          {bulkTexts.onceAtATime(MAX_CHECKOUT_ITEMS)}
        </NoticeBox>
      )}
      <ThumbBar
        note={
          <>
            <span>
              {sums.ready.length === 0
                ? bulkTexts.nothingReady
                : byCard
                  ? bulkTexts.byCard
                  : missing > 0
                    ? bulkTexts.walletShort(moneyText(balance), moneyText(missing))
                    : bulkTexts.walletLeaves(moneyText(balance), moneyText(toCedis(toPesewas(balance) - toPesewas(cedis))))}
            </span>
            {sums.ready.length > 0 && (
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
            <TopUpAndBuy
              items={toItems(paid)}
              source="bulk"
              disabled={busy}
              onOutcome={(outcome) => {
                if (outcome.status === 'paid') finish(paid, outcome.reply.orders)
                if (outcome.status === 'refused') refuse(outcome.error)
              }}
            />
            {affordable > 0 && (
              <Button
                block
                disabled={busy}
                busy={walletAt.phase !== 'idle'}
                stub={<Money cedis={sumLines(paid.slice(0, affordable)).cedis} />}
                onClick={() => void alone(() => payFor(paid.slice(0, affordable)))}
              >
                {bulkTexts.payFewer(affordable)}
              </Button>
            )}
          </div>
        ) : (
          <Button
            block
            size="large"
            disabled={paid.length === 0 || busy}
            busy={busy}
            stub={<Money cedis={byCard ? charge : cedis} />}
            onClick={() => void alone(byCard ? payWithCard : () => payFor(paid))}
          >
            {count === paid.length ? bulkTexts.pay(paid.length) : bulkTexts.payReady(paid.length)}
          </Button>
        )}
      </ThumbBar>
      <p className="mt-2 hidden text-small text-muted lg:block">{bulkTexts.notCharged}</p>
    </div>
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

function toItems(lines: readonly CheckedLine[]): CheckoutItem[] {
  return lines.flatMap(({ item }) =>
    item ? [{ productId: item.productId, offer: item.offer, phoneNumber: item.receiver, amount: item.cedis }] : [],
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
