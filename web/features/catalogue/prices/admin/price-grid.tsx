import { Eye, EyeOff, TriangleAlert } from 'lucide-react'
import { type ClipboardEvent, type FocusEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { formatPesewas } from '../../../../../shared/money.ts'
import { isUnderLine, marginTenths } from '../../../../../shared/price-rules.ts'
import { readAmount } from '../../../../../shared/readers/read-amount.ts'
import { valueIn } from '../../../../../shared/readers/reading.ts'
import { readTypedAmount } from '../../../../lib/typed-amount.ts'
import { useMediaQuery } from '../../../../lib/use-media-query.ts'
import { classNames } from '../../../../ui/class-names.ts'
import {
  type AmountField,
  type GridPackage,
  type GridProduct,
  type PriceField,
  type ProductDraft,
  setField,
  withDraft,
} from './price-draft.ts'

type Props = {
  product: GridProduct
  draft: ProductDraft
  linePercent: number
  /** Packages that somebody else has changed since they were changed here. */
  contested: readonly string[]
  /** What was typed and is no price, by the cell's key. */
  wrong: WrongCells
  onWrong: (wrong: WrongCells) => void
  onDraft: (draft: ProductDraft) => void
  /** Takes back the last change. */
  onUndo: () => void
  /** Several lines were pasted into a cell. */
  onPasteList: (text: string) => void
}

export type WrongCells = Readonly<Record<string, string>>
type Column = AmountField | 'shown'
const LAPTOP = '(min-width: 64rem)'
const ON_A_LAPTOP: readonly Column[] = ['cost', 'customer', 'agent', 'shown']
const ON_A_PHONE: readonly Column[] = ['shown', 'cost', 'customer', 'agent']
const NAMES: Record<Column, string> = { cost: 'cost', customer: 'customer price', agent: 'agent price', shown: 'shown' }

function cellKey(productId: string, offer: string, field: string): string {
  return `${productId} ${field} ${offer}`
}

/**
 * Prices as a spreadsheet: arrows move, typing edits, Enter goes down, Tab to the next, Escape takes back what is being typed. One cell is in the
 * order of Tab at a time.
 */
export function PriceGrid({ product, draft, linePercent, contested, wrong, onWrong, onDraft, onUndo, onPasteList }: Props) {
  const isLaptop = useMediaQuery(LAPTOP)
  const columns = isLaptop ? ON_A_LAPTOP : ON_A_PHONE
  const table = useRef<HTMLTableElement>(null)
  const [current, setCurrent] = useState({ row: 0, column: 'customer' as Column })
  const [typing, setTyping] = useState<{ key: string; text: string } | null>(null)
  // A blur follows Escape, Enter and the arrows, and must neither save what was taken back nor save twice.
  const ended = useRef(false)

  const focusCell = (row: number, column: number) => {
    const wanted = Math.max(0, Math.min(product.packages.length - 1, row))
    const name = columns[Math.max(0, Math.min(columns.length - 1, column))]
    table.current?.querySelector<HTMLElement>(`[data-cell="${wanted} ${name}"]`)?.focus()
  }
  const end = (line: GridPackage, field: AmountField) => {
    const key = cellKey(product._id, line.offer, field)
    if (typing?.key !== key) return
    ended.current = true
    setTyping(null)
    const { [key]: _, ...others } = wrong
    const reading = readAmount(typing.text)
    const amount = valueIn(reading)
    if (reading.kind === 'doubtful' || amount === 0) return onWrong({ ...others, [key]: typing.text })
    onWrong(others)
    // An emptied price goes back to what is on sale; an emptied cost is not known any more.
    if (amount === null && field !== 'cost') onDraft(setField(draft, line, field, line[field]))
    else onDraft(setField(draft, line, field, amount as number))
  }
  const takeBack = (line: GridPackage, field: AmountField) => {
    const { [cellKey(product._id, line.offer, field)]: _, ...others } = wrong
    ended.current = true
    onWrong(others)
    setTyping(null)
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>, line: GridPackage, row: number, column: Column) => {
    const place = columns.indexOf(column)
    const isTyping = typing !== null
    const field = column === 'shown' ? null : column
    const move = (rows: number, across: number) => {
      event.preventDefault()
      if (field) end(line, field)
      focusCell(row + rows, place + across)
    }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z' && !isTyping) {
      event.preventDefault()
      return onUndo()
    }
    if (event.altKey || event.metaKey) return
    switch (event.key) {
      case 'ArrowDown':
        return move(1, 0)
      case 'ArrowUp':
        return move(-1, 0)
      case 'ArrowLeft':
        return isTyping ? undefined : move(0, -1)
      case 'ArrowRight':
        return isTyping ? undefined : move(0, 1)
      case 'Home':
        return isTyping ? undefined : move(event.ctrlKey ? -row : 0, -columns.length)
      case 'End':
        return isTyping ? undefined : move(event.ctrlKey ? product.packages.length : 0, columns.length)
      case 'PageDown':
        return move(10, 0)
      case 'PageUp':
        return move(-10, 0)
      case 'Enter':
        return field ? move(event.shiftKey ? -1 : 1, 0) : undefined
      case 'Tab': {
        if (!isTyping) return
        const step = event.shiftKey ? -1 : 1
        const across = place + step
        if (across >= 0 && across < columns.length) return move(0, step)
        return move(step, step > 0 ? -columns.length : columns.length)
      }
      case 'F2':
        if (field && !isTyping) {
          event.preventDefault()
          const input = event.currentTarget as HTMLInputElement
          setTyping({ key: cellKey(product._id, line.offer, field), text: input.value })
          input.setSelectionRange(input.value.length, input.value.length)
        }
        return
      case 'Escape':
        if (field && (isTyping || wrong[cellKey(product._id, line.offer, field)] !== undefined)) {
          event.preventDefault()
          takeBack(line, field)
          const input = event.currentTarget as HTMLInputElement
          // Selecting moves the focus back here, and the next key may have moved it on.
          requestAnimationFrame(() => document.activeElement === input && input.select())
        }
        return
    }
  }

  const amountCell = (line: GridPackage, row: number, field: AmountField): CellProps => {
    const key = cellKey(product._id, line.offer, field)
    const now = withDraft(line, draft)[field]
    const bad = wrong[key]
    return {
      'data-cell': `${row} ${field}`,
      tabIndex: current.row === row && current.column === field ? 0 : -1,
      'aria-label': `${line.offer} ${NAMES[field]}`,
      'aria-invalid': bad === undefined ? undefined : true,
      understood: typing?.key === key ? readTypedAmount(typing.text).understood : null,
      value: typing?.key === key ? typing.text : (bad ?? (now === null ? '' : formatPesewas(now))),
      onFocus: (event) => {
        ended.current = false
        setCurrent({ row, column: field })
        event.currentTarget.select()
      },
      onChange: (event) => {
        ended.current = false
        setTyping({ key, text: event.currentTarget.value })
      },
      onBlur: () => {
        if (!ended.current) end(line, field)
      },
      onPaste: (event) => {
        const text = event.clipboardData.getData('text')
        if (!/[\r\n\t]/.test(text.trim())) return
        event.preventDefault()
        takeBack(line, field)
        onPasteList(text)
      },
      onKeyDown: (event) => onKeyDown(event, line, row, field),
    }
  }
  const shownCell = (line: GridPackage, row: number) => ({
    'data-cell': `${row} shown`,
    tabIndex: current.row === row && current.column === 'shown' ? 0 : -1,
    onFocus: () => setCurrent({ row, column: 'shown' as const }),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => onKeyDown(event, line, row, 'shown'),
    hidden: withDraft(line, draft).hidden,
    changed: draft.lines[line.offer]?.hidden !== undefined,
    onToggle: () => onDraft(setField(draft, line, 'hidden', !withDraft(line, draft).hidden)),
  })

  return (
    <div className="@container">
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the pattern of a grid that is edited by keyboard.
        role="grid"
        aria-label={`Prices of ${product.network}`}
        className="tabular w-full border-collapse text-body max-lg:table-fixed @max-[15rem]:block @max-[15rem]:[&>tbody]:block"
      >
        {!isLaptop && (
          <colgroup>
            <col className="w-[25%]" />
            <col className="w-[22%]" />
            <col span={2} />
          </colgroup>
        )}
        <thead className={STACKED_HIDDEN}>
          <tr className="text-small text-muted">
            <Heading left>Package</Heading>
            <Heading>Cost</Heading>
            <Heading>Customer</Heading>
            {isLaptop && <Heading>Margin</Heading>}
            <Heading>Agent</Heading>
            {isLaptop && <Heading>Margin</Heading>}
            {isLaptop && <Heading>Shown</Heading>}
          </tr>
        </thead>
        <tbody>
          {product.packages.map((line, row) => {
            const now = withDraft(line, draft)
            const { [line.offer]: changes = {} } = draft.lines
            const isContested = contested.includes(line.offer)
            const price = (field: PriceField) => (
              <td
                data-name={field === 'customer' ? 'Customer' : 'Agent'}
                className={classNames('px-1 py-1.5 text-right align-top lg:px-2 lg:py-1', STACKED_CELL)}
              >
                <span className="flex items-center justify-end gap-2">
                  {isLaptop && changes[field] && <OldPrice pesewas={line[field]} />}
                  <PriceInput cell={amountCell(line, row, field)} isNew={changes[field] !== undefined} />
                </span>
                {!isLaptop && (
                  <span className="flex min-h-5 flex-wrap justify-end gap-x-1.5 pr-1 text-small whitespace-nowrap">
                    {changes[field] && <OldPrice pesewas={line[field]} />}
                    <MarginPart price={now[field]} cost={now.cost} linePercent={linePercent} />
                  </span>
                )}
              </td>
            )
            const margin = (field: PriceField) => (
              <td className="px-2 py-1 text-right text-small whitespace-nowrap">
                <Margin price={now[field]} cost={now.cost} linePercent={linePercent} />
              </td>
            )
            return (
              <tr
                key={line.offer}
                className={classNames(
                  'border-t border-line @max-[15rem]:block @max-[15rem]:pb-2',
                  isContested && 'bg-pending-soft',
                  now.hidden && 'text-muted',
                )}
              >
                <th
                  scope="row"
                  className="max-w-40 py-1.5 pl-2 text-left align-top font-semibold @max-[15rem]:px-3 break-words @max-[15rem]:block @max-[15rem]:max-w-none lg:px-4 lg:py-2.5 lg:align-middle"
                >
                  {isLaptop ? (
                    <>
                      {line.offer}
                      {isContested && <ContestedMark />}
                    </>
                  ) : (
                    <ShownButton {...shownCell(line, row)} offer={line.offer} contested={isContested} />
                  )}
                </th>
                <td data-name="Cost" className={classNames('px-0.5 py-1.5 text-right align-top lg:px-2 lg:py-1', STACKED_CELL)}>
                  <CostInput cell={amountCell(line, row, 'cost')} isNew={changes.cost !== undefined} />
                </td>
                {price('customer')}
                {isLaptop && margin('customer')}
                {price('agent')}
                {isLaptop && margin('agent')}
                {isLaptop && (
                  <td className="px-4 py-1 text-right">
                    <ShownSwitch {...shownCell(line, row)} offer={line.offer} />
                  </td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Heading({ left, children }: { left?: boolean; children: ReactNode }) {
  return (
    <th
      scope="col"
      className={classNames(
        'px-1 py-2 font-medium whitespace-nowrap first:pl-2 last:pr-4 lg:px-2 lg:first:pl-4',
        left ? 'text-left' : 'text-right',
      )}
    >
      {children}
    </th>
  )
}

type CellProps = {
  understood: string | null
  'data-cell': string
  tabIndex: number
  'aria-label': string
  'aria-invalid': true | undefined
  value: string
  onFocus: (event: FocusEvent<HTMLInputElement>) => void
  onChange: (event: { currentTarget: HTMLInputElement }) => void
  onBlur: () => void
  onPaste: (event: ClipboardEvent<HTMLInputElement>) => void
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
}

/** With letters too large for columns each price stands below its name. */
const STACKED_CELL =
  '@max-[15rem]:block @max-[15rem]:px-3 @max-[15rem]:py-1 @max-[15rem]:before:block @max-[15rem]:before:text-left @max-[15rem]:before:text-small @max-[15rem]:before:text-muted @max-[15rem]:before:content-[attr(data-name)]'
const STACKED_HIDDEN = '@max-[15rem]:sr-only'

const INPUT =
  'min-h-11 rounded-[8px] border px-2 text-right outline-offset-0 aria-invalid:border-danger aria-invalid:bg-danger-soft aria-invalid:text-danger lg:min-h-8'

/** A cell with what was understood of it while it is typed. */
function AmountInput({ understood, ...cell }: CellProps & { className: string; placeholder?: string }) {
  return (
    <span className="relative inline-block w-full lg:w-auto">
      <input inputMode="decimal" autoComplete="off" {...cell} />
      {understood && (
        <span className="pointer-events-none absolute top-full right-0 z-10 rounded-box bg-surface px-2 py-0.5 text-small text-muted shadow-sm">
          {understood}
        </span>
      )}
    </span>
  )
}

function PriceInput({ cell, isNew }: { cell: CellProps; isNew: boolean }) {
  return (
    <AmountInput
      {...cell}
      className={classNames(
        INPUT,
        'w-full min-w-0 text-[1rem] font-semibold max-lg:px-1.5 lg:w-[4.75rem] lg:text-body',
        isNew ? 'border-2 border-brand bg-brand-soft text-brand-text' : 'border-line-strong bg-surface',
      )}
    />
  )
}

function CostInput({ cell, isNew }: { cell: CellProps; isNew: boolean }) {
  return (
    <AmountInput
      placeholder="none"
      {...cell}
      className={classNames(
        INPUT,
        'w-full max-w-20 px-0.5 text-[1rem] placeholder:text-small placeholder:text-muted @max-[15rem]:max-w-none @max-[15rem]:px-2 lg:px-2 lg:text-body',
        isNew
          ? 'border-2 border-brand bg-brand-soft text-brand-text'
          : 'border-transparent bg-transparent text-muted hover:border-line-strong',
      )}
    />
  )
}

function OldPrice({ pesewas }: { pesewas: number }) {
  return (
    <span className="text-small text-muted">
      <span className="sr-only">was </span>
      <s>{formatPesewas(pesewas)}</s>
    </span>
  )
}

type MarginProps = { price: number; cost: number | null; linePercent: number }

/** In cedis and as a part of the price; amber, with a sign, under the owner's line. */
function Margin({ price, cost, linePercent }: MarginProps) {
  if (cost === null) return <span className="text-muted">no cost yet</span>
  return (
    <>
      <span className={classNames('mr-1.5', price < cost ? 'font-semibold text-pending' : 'text-done')}>{formatPesewas(price - cost)}</span>
      <MarginPart price={price} cost={cost} linePercent={linePercent} />
    </>
  )
}

function MarginPart({ price, cost, linePercent }: MarginProps) {
  if (cost === null) return null
  const tenths = marginTenths(price, cost)
  const text = `${tenths < 0 ? '−' : ''}${Math.trunc(Math.abs(tenths) / 10)}.${Math.abs(tenths) % 10} %`
  if (!isUnderLine(price, cost, linePercent)) return <span className="text-muted">{text}</span>
  return (
    <span className="inline-flex items-center gap-0.5 font-semibold whitespace-nowrap text-pending">
      <TriangleAlert className="size-3.5" aria-hidden="true" />
      {text}
      <span className="sr-only">, {price < cost ? 'below cost' : 'under your line'}</span>
    </span>
  )
}

type ShownProps = {
  'data-cell': string
  tabIndex: number
  onFocus: () => void
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  hidden: boolean
  changed: boolean
  onToggle: () => void
  offer: string
}

function ShownSwitch({ hidden, changed, onToggle, offer, ...cell }: ShownProps) {
  return (
    <span className="inline-flex items-center gap-2">
      {hidden && <span className="text-small">Hidden</span>}
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says by itself whether it is checked.
        role="switch"
        aria-label={`${offer} shown`}
        checked={!hidden}
        onChange={onToggle}
        {...cell}
        className={classNames(
          'relative h-6 w-10 shrink-0 cursor-pointer appearance-none rounded-full bg-line-strong align-middle transition-colors before:absolute before:top-1 before:left-1 before:size-4 before:rounded-full before:bg-on-brand before:transition-transform checked:bg-brand checked:before:translate-x-4',
          changed && 'ring-2 ring-brand ring-offset-1',
        )}
      />
    </span>
  )
}

/** On a phone the package's name is the switch. */
function ShownButton({ hidden, changed, onToggle, offer, contested, ...cell }: ShownProps & { contested: boolean }) {
  const Icon = hidden ? EyeOff : Eye
  return (
    <button
      type="button"
      role="switch"
      aria-checked={!hidden}
      aria-label={`${offer} shown`}
      onClick={onToggle}
      {...cell}
      className="flex min-h-11 w-full min-w-0 flex-col items-start justify-center rounded-[8px] text-left"
    >
      <span
        className={classNames(
          'max-w-full font-semibold break-words',
          /^\S{1,6}$/.test(offer) && 'whitespace-nowrap',
          hidden && 'text-muted line-through',
        )}
      >
        {offer}
      </span>
      <span className={classNames('inline-flex items-center gap-1 text-small font-normal', changed ? 'text-brand-text' : 'text-muted')}>
        <Icon className="size-3.5" aria-hidden="true" />
        {hidden ? 'Hidden' : 'Shown'}
      </span>
      {contested && <ContestedMark />}
    </button>
  )
}

function ContestedMark() {
  return (
    <span className="ml-1 inline-flex items-center gap-1 text-small font-semibold text-pending max-lg:ml-0">
      <TriangleAlert className="size-3.5" aria-hidden="true" />
      changed
    </span>
  )
}
