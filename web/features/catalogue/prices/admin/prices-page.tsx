import { CalendarClock, CircleCheck, CircleX, ClipboardPaste, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { formatPesewas } from '../../../../../shared/money.ts'
import { marginTenths } from '../../../../../shared/price-rules.ts'
import type { PricesReply } from '../../../../../shared/prices.ts'
import { readAmount } from '../../../../../shared/readers/read-amount.ts'
import { questionIn } from '../../../../../shared/readers/reading.ts'
import { aboutReply } from '../../../../lib/about-record.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { messageOf, RefusedError } from '../../../../lib/http.ts'
import { useMediaQuery } from '../../../../lib/use-media-query.ts'
import { useNow } from '../../../../lib/use-now.ts'
import { useWarnOnLeaving } from '../../../../lib/warn-on-leaving.ts'
import { ActBar } from '../../../../ui/admin/act-bar.tsx'
import { Card } from '../../../../ui/admin/card.tsx'
import { RefreshProblem } from '../../../../ui/admin/refresh-problem.tsx'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { confirmAction } from '../../../../ui/confirm-action.ts'
import { NetworkArt } from '../../../../ui/network-art.tsx'
import { LoadError, NoticeBox } from '../../../../ui/notice-box.tsx'
import { Loading, Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { ProductsTab } from '../../products/admin/products-tab.tsx'
import { pricesQuery, priceWrites, refreshPrices, usePrices } from './api.ts'
import { OtherChangeDialog } from './other-change-dialog.tsx'
import {
  contestedOffers,
  costsOnly,
  countChanges,
  draftOf,
  type GridProduct,
  keepMine,
  type PriceTool,
  type ProductDraft,
  pressTool,
  requestOf,
  roundAll,
  TOOLS,
  takeChanges,
  takeList,
  takeTheirs,
  toGrid,
  withDraft,
} from './price-draft.ts'
import { PriceGrid, type WrongCells } from './price-grid.tsx'
import { PriceListDialog } from './price-list-dialog.tsx'
import { changeWords, timeWords, unpublishedIn, warningsOf } from './price-words.ts'
import { PriceWarnings, ScheduleDialog } from './schedule-dialog.tsx'
import { changeDraft, settleDraft, undoStep, unpublishedPrices } from './unpublished-prices.ts'

const NO_DRAFT: ProductDraft = { tool: null, lines: {} }

/** Everything that has a price: what it costs, what it is sold for, and whether it is shown. Below it, the products themselves. */
export default function PricesPage() {
  const { data, error, refetch } = usePrices()
  const again = () => void refetch()
  return (
    <div className="flex flex-col gap-8">
      {data ? (
        <>
          <RefreshProblem error={error} onRetry={again} />
          {data.products.length > 0 && <Prices reply={data} />}
        </>
      ) : error ? (
        <LoadError what="The prices" error={error} onRetry={again} />
      ) : (
        <Loading label="Loading the prices…">
          <div className="flex flex-col gap-3">
            <Skeleton className="h-11 max-w-xl" />
            <Skeleton className="h-96" />
          </div>
        </Loading>
      )}
      <ProductsTab hidden={hiddenIn(data)} />
    </div>
  )
}

/** The hidden packages of each product, which the catalogue that everyone sees leaves out. */
function hiddenIn(reply: PricesReply | undefined): ReadonlyMap<string, readonly string[]> {
  return new Map(reply?.products.map(({ _id, packages }) => [_id, packages.filter(({ hidden }) => hidden).map(({ offer }) => offer)]))
}

function Prices({ reply }: { reply: PricesReply }) {
  const products = toGrid(reply)
  const drafts = unpublishedPrices.use()
  const [wrong, setWrong] = useState<WrongCells>({})
  const [open, setOpen] = useState<'schedule' | 'other' | { list: string } | null>(null)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const unpublished = unpublishedIn(drafts, products)
  // Chosen once: publishing or dropping a draft must not change what is looked at.
  const [chosen, setChosen] = useState(unpublished[0]?._id)
  const product = products.find(({ _id }) => _id === chosen) ?? (products[0] as GridProduct)
  const draft = draftOf(drafts, product)
  const counts = countChanges(draft)
  const contested = contestedOffers(draft, product)
  const change = (next: ProductDraft) => changeDraft(product._id, next)
  const isWrong = Object.keys(wrong).length > 0
  useWarnOnLeaving(() => unpublished.length > 0 || isWrong)

  const choose = (id: string) => {
    setChosen(id)
    setRefused(null)
    setWrong({})
  }
  const send = async (work: () => Promise<void>) => {
    setBusy(true)
    setRefused(null)
    try {
      await work()
    } catch (failure) {
      const message = messageOf(failure)
      setRefused(message)
      toast.danger(message)
      if (failure instanceof RefusedError && failure.status === 409) await refreshPrices()
    } finally {
      setBusy(false)
    }
  }
  const publish = async () => {
    if (!(await askToPublish(product, draft))) return
    await send(async () => {
      await priceWrites.publish(requestOf(draft, product))
      settleDraft(product._id, NO_DRAFT)
      toast.success(`${changeWords(counts)} on ${product.network}: live now`)
    })
  }
  const schedule = async (liveAt: Date) => {
    await priceWrites.schedule({ liveAt: liveAt.toISOString(), changes: requestOf(draft, product).changes })
    settleDraft(product._id, costsOnly(draft))
    toast.success(`Scheduled for ${timeWords(liveAt)}`)
  }
  const undoPublication = async (id: string, question: string) => {
    const about = aboutReply(pricesQuery, ({ lastPublication }) => lastPublication?._id === id && lastPublication.changedSince)
    if (!(await confirmAction({ about, question, title: 'Undo the last prices' }))) return
    await send(async () => {
      await priceWrites.undo(id)
      toast.success('The old prices are back')
    })
  }

  return (
    <section aria-label="Prices" className="grid items-start gap-3 lg:grid-cols-[18rem_minmax(0,1fr)] lg:gap-4">
      <ProductPicker products={products} current={product} unpublished={unpublished} onChoose={choose} />
      <div className="flex min-w-0 flex-col gap-3">
        <Tools
          draft={draft}
          onTool={(tool) => change(pressTool(draft, product, tool))}
          onOther={() => setOpen('other')}
          onRound={() => change(roundAll(draft, product))}
          onPaste={() => setOpen({ list: '' })}
        />
        {refused && contested.length === 0 && <NoticeBox tone="danger">{refused}</NoticeBox>}
        {contested.length > 0 && (
          <NoticeBox
            tone="pending"
            title={`Somebody else has changed ${contested.join(', ')} meanwhile.`}
            action={
              <span className="flex flex-wrap gap-2">
                <Button variant="secondary" size="compact" onClick={() => change(keepMine(draft, product))}>
                  Keep my prices
                </Button>
                <Button variant="secondary" size="compact" onClick={() => change(takeTheirs(draft, product))}>
                  Take theirs
                </Button>
              </span>
            }
          >
            Nothing of yours is live yet.
          </NoticeBox>
        )}
        <Schedules reply={reply} products={products} onSend={send} />
        {product.packages.length > 0 && product.packages.every(({ cost }) => cost === null) && (
          <p className="text-small text-muted">No costs yet. Type what each package costs you, and we show what you earn on it.</p>
        )}
        <Card label={`${product.network}, ${counted(product.packages.length, 'package')}`}>
          {product.packages.length === 0 ? (
            <p className="px-4 py-6 text-muted">No packages yet. Press Update below to add some.</p>
          ) : (
            <PriceGrid
              key={product._id}
              product={product}
              draft={draft}
              linePercent={reply.marginLinePercent}
              contested={contested}
              wrong={wrong}
              onWrong={setWrong}
              onDraft={change}
              onUndo={() => void undoStep()}
              onPasteList={(text) => setOpen({ list: text })}
            />
          )}
        </Card>
        {isWrong && (
          <p role="alert" className="text-small font-medium text-danger">
            {Object.values(wrong)
              .map((text) => `“${text}” is not a price. ${questionIn(readAmount(text)) ?? ''}`)
              .join(' ')}{' '}
            Write it like 5.50.
          </p>
        )}
        <p className="text-small text-muted">
          Amber: under your {reply.marginLinePercent} % line, which{' '}
          <Link href="/admin/settings" className="underline underline-offset-4">
            Settings
          </Link>{' '}
          keep. Orders already paid keep their price.
          <span className="max-lg:hidden"> Arrows move, Enter goes down, Escape takes back, Ctrl Z undoes.</span>
        </p>
      </div>
      <PricesBar
        reply={reply}
        draftWords={changeWords(counts)}
        all={counts.all}
        canSchedule={counts.prices + counts.shown > 0}
        disabled={busy || isWrong || contested.length > 0}
        busy={busy}
        elsewhere={unpublished.filter(({ _id }) => _id !== product._id)}
        onPublish={() => void publish()}
        onSchedule={() => setOpen('schedule')}
        onDrop={() => {
          setWrong({})
          change(NO_DRAFT)
        }}
        onUndo={undoPublication}
      />
      {open === 'schedule' && (
        <ScheduleDialog
          what={`${changeWords({ ...counts, costs: 0 })} on ${product.network}`}
          costs={counts.costs}
          warnings={warningsOf(product, draft)}
          onSchedule={schedule}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'other' && (
        <OtherChangeDialog
          network={product.network}
          onTool={(tool) => change(pressTool({ ...draft, tool: null }, product, tool))}
          onClose={() => setOpen(null)}
        />
      )}
      {typeof open === 'object' && open && (
        <PriceListDialog
          product={product}
          text={open.list}
          onClose={() => setOpen(null)}
          onTake={(prices) => change(takeList(draft, product, prices))}
        />
      )}
    </section>
  )
}

type PickerProps = {
  products: readonly GridProduct[]
  current: GridProduct
  unpublished: readonly GridProduct[]
  onChoose: (id: string) => void
}

/** Chips above the grid on a phone, a list beside it at a laptop. */
function ProductPicker({ products, current, unpublished, onChoose }: PickerProps) {
  const isLaptop = useMediaQuery('(min-width: 64rem)')
  const isAlone = ({ network }: GridProduct) => products.filter((one) => one.network === network).length === 1
  const nameOf = (product: GridProduct) => (isAlone(product) ? product.network : `${product.network} ${product.productId}`)
  const mark = (product: GridProduct) =>
    unpublished.includes(product) && (
      <span className="size-2 shrink-0 rounded-full bg-pending-mark">
        <span className="sr-only">, new prices not yet live</span>
      </span>
    )
  if (!isLaptop) {
    return (
      <fieldset aria-label="Network" className="min-w-0 -mx-4 flex gap-2 relative overflow-x-auto px-4 [scrollbar-width:none]">
        {products.map((product) => (
          <button
            key={product._id}
            type="button"
            aria-pressed={product === current}
            onClick={() => onChoose(product._id)}
            className={classNames(CHIP, 'shrink-0 pl-2')}
          >
            <NetworkArt network={product.network} size={24} />
            {nameOf(product)}
            {mark(product)}
          </button>
        ))}
      </fieldset>
    )
  }
  return (
    <fieldset aria-label="Network" className="min-w-0 divide-y divide-line overflow-hidden rounded-box border border-line bg-surface">
      {products.map((product) => (
        <button
          key={product._id}
          type="button"
          aria-pressed={product === current}
          onClick={() => onChoose(product._id)}
          className="flex w-full items-center gap-3 px-4 py-2.5 text-left -outline-offset-2 hover:bg-sunken aria-pressed:bg-brand-soft"
        >
          <NetworkArt network={product.network} size={32} />
          <span className="min-w-0 flex-1">
            <span className="flex items-center gap-2 font-semibold">
              {nameOf(product)}
              {mark(product)}
            </span>
            <span className="tabular block text-small text-muted">
              ID {product.productId} · {counted(product.packages.length, 'package')}
            </span>
          </span>
          <span
            className={classNames(
              'flex items-center gap-1 text-small font-semibold whitespace-nowrap',
              product.status === 'available' ? 'text-done' : 'text-danger',
            )}
          >
            {product.status === 'available' ? (
              <CircleCheck className="size-3.5" aria-hidden="true" />
            ) : (
              <CircleX className="size-3.5" aria-hidden="true" />
            )}
            {product.status}
          </span>
        </button>
      ))}
    </fieldset>
  )
}

const CHIP =
  'inline-flex min-h-11 items-center gap-2 rounded-full border border-line-strong bg-surface px-4 text-body font-semibold whitespace-nowrap hover:bg-sunken aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-text lg:min-h-9 lg:px-3'

type ToolsProps = { draft: ProductDraft; onTool: (tool: PriceTool) => void; onOther: () => void; onRound: () => void; onPaste: () => void }

function Tools({ draft, onTool, onOther, onRound, onPaste }: ToolsProps) {
  const other = draft.tool !== null && TOOLS.every(({ name }) => name !== draft.tool) ? draft.tool : null
  return (
    <fieldset
      aria-label="Change all prices"
      className="min-w-0 -mx-4 flex gap-2 relative overflow-x-auto px-4 [scrollbar-width:none] lg:mx-0 lg:flex-wrap lg:px-0"
    >
      {TOOLS.map((tool) => (
        <button
          key={tool.name}
          type="button"
          aria-pressed={draft.tool === tool.name}
          onClick={() => onTool(tool)}
          className={classNames(CHIP, 'tabular')}
        >
          {tool.name}
        </button>
      ))}
      <button type="button" onClick={onRound} className={CHIP}>
        Round to 0.10
      </button>
      <button
        type="button"
        aria-pressed={other !== null}
        onClick={() => (other ? onTool({ name: other, adjustment: { pesewas: 0 }, fields: [] }) : onOther())}
        className={classNames(CHIP, 'tabular')}
      >
        {other ?? 'Other change'}
      </button>
      <button type="button" onClick={onPaste} className={classNames(CHIP, 'lg:ml-auto')}>
        <ClipboardPaste className="size-4.5" aria-hidden="true" />
        Paste a price list
      </button>
    </fieldset>
  )
}

type SchedulesProps = { reply: PricesReply; products: readonly GridProduct[]; onSend: (work: () => Promise<void>) => Promise<void> }

/** What goes live by itself, and what did not. */
function Schedules({ reply: { schedules, incomplete }, products, onSend }: SchedulesProps) {
  const networksOf = (changes: readonly { network: string }[]) => [...new Set(changes.map(({ network }) => network))].join(', ')
  const namesOf = (changes: readonly { network: string; offer: string }[]) =>
    changes.map(({ network, offer }) => `${network} ${offer}`).join(', ')
  const cancel = async (id: string, at: string) => {
    const question = `Cancel the prices for ${timeWords(new Date(at))}?`
    const about = aboutReply(pricesQuery, ({ schedules }) => schedules.some(({ _id }) => _id === id))
    if (!(await confirmAction({ about, question, title: 'Scheduled prices', danger: true }))) return
    await onSend(async () => {
      await priceWrites.cancel(id)
      toast.success('Cancelled. Prices stay as they are')
    })
  }
  const takeOver = (changes: PricesReply['incomplete'][number]['leftOut']) => {
    for (const product of products) {
      const before = draftOf(unpublishedPrices.get(), product)
      const after = takeChanges(before, product, changes)
      if (after.lines !== before.lines) changeDraft(product._id, after)
    }
  }
  return (
    <>
      {schedules.map(({ _id, liveAt, by, changes }) => {
        const conflicts = changes.filter(({ conflict }) => conflict)
        return (
          <NoticeBox
            key={_id}
            tone={conflicts.length > 0 ? 'pending' : 'info'}
            title={`${counted(changes.length, 'package')} of ${networksOf(changes)}: new prices from ${timeWords(new Date(liveAt))}`}
            action={
              <Button variant="secondary" size="compact" onClick={() => void cancel(_id, liveAt)}>
                Cancel
              </Button>
            }
          >
            <p>{by} scheduled them.</p>
            {conflicts.length > 0 && <p>{namesOf(conflicts)} changed since, and will be left as it is now.</p>}
          </NoticeBox>
        )
      })}
      {incomplete.map(({ _id, liveAt, by, outcome, leftOut }) => (
        <NoticeBox
          key={_id}
          tone="pending"
          title={
            outcome === 'refused'
              ? `The prices for ${timeWords(new Date(liveAt))} did not go live: ${by} may not change prices any more.`
              : `Not changed on ${timeWords(new Date(liveAt))}: ${namesOf(leftOut)}`
          }
          action={
            <Button variant="secondary" size="compact" onClick={() => takeOver(leftOut)}>
              Look at these prices
            </Button>
          }
        >
          {outcome === 'refused'
            ? 'Look at them, and publish them yourself if you want them.'
            : 'Somebody had changed them after they were scheduled.'}
        </NoticeBox>
      ))}
    </>
  )
}

type BarProps = {
  reply: PricesReply
  draftWords: string
  all: number
  canSchedule: boolean
  disabled: boolean
  busy: boolean
  /** Other products with new prices that are not live. */
  elsewhere: readonly GridProduct[]
  onPublish: () => void
  onSchedule: () => void
  onDrop: () => void
  onUndo: (id: string, question: string) => Promise<void>
}

function PricesBar({ reply, draftWords, all, canSchedule, disabled, busy, elsewhere, onPublish, onSchedule, onDrop, onUndo }: BarProps) {
  const now = useNow(30_000)
  const last = reply.lastPublication
  const others = elsewhere.length > 0 ? `also ${elsewhere.map(({ network }) => network).join(', ')}` : null
  if (all === 0) {
    const isBlocked = last !== null && last.changedSince.length > 0
    return (
      <ActBar
        note={last ? `${last.changes.length} published` : (others ?? 'Nothing to publish')}
        detail={
          last
            ? `${agoWords(new Date(last.at), now)} by ${last.by}${isBlocked ? `, ${last.changedSince.length} changed since` : ''}`
            : 'Press +5 %, or type a price'
        }
      >
        {last && !isBlocked && (
          <Button
            variant="secondary"
            disabled={disabled}
            icon={<Undo2 className="size-4.5" aria-hidden="true" />}
            onClick={() => void onUndo(last._id, `Bring back the prices from before ${timeWords(new Date(last.at))}?`)}
          >
            Undo
          </Button>
        )}
        <Button disabled>Publish</Button>
      </ActBar>
    )
  }
  return (
    <ActBar
      note={draftWords.startsWith(`${all} new price`) ? <NewPrices count={all} /> : draftWords}
      detail={others ? `not yet live, ${others}` : 'not yet live'}
    >
      <Button
        variant="secondary"
        className="max-lg:px-3"
        aria-label="Undo all"
        icon={<Undo2 className="size-4.5" aria-hidden="true" />}
        onClick={onDrop}
      >
        <span className="max-lg:hidden">Undo all</span>
      </Button>
      <Button
        variant="secondary"
        className="max-lg:px-3"
        aria-label="Schedule"
        disabled={disabled || !canSchedule}
        icon={<CalendarClock className="size-4.5" aria-hidden="true" />}
        onClick={onSchedule}
      >
        <span className="max-lg:hidden">Schedule</span>
      </Button>
      <Button disabled={disabled} busy={busy} busyLabel="Publishing…" onClick={onPublish}>
        Publish {all}
      </Button>
    </ActBar>
  )
}

/** The smallest phones have room for "30 new" beside the buttons. */
function NewPrices({ count }: { count: number }) {
  return (
    <>
      {count} new<span className="max-[23.5rem]:sr-only"> {count === 1 ? 'price' : 'prices'}</span>
    </>
  )
}

function agoWords(at: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000)
  if (minutes < 1) return 'just now'
  return minutes < 60 ? `${minutes} min ago` : timeWords(at)
}

/** Old and new prices with what is left of them, and by name what an owner seldom means. */
function askToPublish(product: GridProduct, draft: ProductDraft): Promise<boolean> {
  const counts = countChanges(draft)
  const warnings = warningsOf(product, draft)
  const rows: ReactNode[] = product.packages.flatMap((line) => {
    const changes = draft.lines[line.offer]
    if (!changes) return []
    const now = withDraft(line, draft)
    const price = (field: 'customer' | 'agent') =>
      changes[field] && (
        <>
          <s className="text-muted">{formatPesewas(line[field])}</s> <span className="font-semibold">{formatPesewas(now[field])}</span>
          {now.cost !== null && (
            <span className="block text-small text-muted">{Math.trunc(marginTenths(now[field], now.cost) / 10)} % left</span>
          )}
        </>
      )
    return [
      <tr key={line.offer} className="border-t border-line align-top">
        <th scope="row" className="py-1.5 pr-2 text-left font-semibold break-words">
          {line.offer}
          {changes.hidden && <span className="block text-small font-normal">{now.hidden ? 'hidden from now on' : 'shown again'}</span>}
          {changes.cost && (
            <span className="block text-small font-normal text-muted">
              cost {line.cost === null ? 'new' : <s>{formatPesewas(line.cost)}</s>}{' '}
              {now.cost === null ? 'not known' : formatPesewas(now.cost)}
            </span>
          )}
        </th>
        <td className="py-1.5 pl-2 text-right">{price('customer')}</td>
        <td className="py-1.5 pl-2 text-right">{price('agent')}</td>
      </tr>,
    ]
  })
  const about = aboutReply(pricesQuery, ({ products }) =>
    products.find(({ _id }) => _id === product._id)?.packages.filter(({ offer }) => draft.lines[offer]),
  )
  return confirmAction({
    about,
    question: `Publish ${changeWords(counts)} on ${product.network} now?`,
    title: `Publish ${counts.all}`,
    danger: warnings.length > 0,
    details: (
      <>
        <PriceWarnings warnings={warnings} />
        <table className="tabular w-full text-body">
          <thead>
            <tr className="text-small text-muted">
              <th scope="col" className="py-1 text-left font-medium">
                Package
              </th>
              <th scope="col" className="py-1 text-right font-medium">
                Customer
              </th>
              <th scope="col" className="py-1 text-right font-medium">
                Agent
              </th>
            </tr>
          </thead>
          <tbody>{rows}</tbody>
        </table>
      </>
    ),
  })
}
