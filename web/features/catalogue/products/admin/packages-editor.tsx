import { ArrowDown, ArrowUp, ClipboardPaste, Plus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { namesDelivery } from '../../../../../shared/offers.ts'
import { MAX_PACKAGES, type PackageInput } from '../../../../../shared/products.ts'
import { pesewasIn } from '../../../../../shared/readers/read-amount.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { Field, TextareaField } from '../../../../ui/field.tsx'
import { MoneyField } from '../../../../ui/money-field.tsx'
import { blankPackage, type DraftPackage, mergePackages, moveLine, type PastedLine, parsePackages } from './read-packages.ts'

type Props = {
  drafts: readonly DraftPackage[]
  /** What is wrong with which line, such as `packages.KEY.offer`. */
  errors: Record<string, string | undefined>
  /** The supplier that delivers this network's orders, by name; null when the shop does them by hand. */
  supplier: string | null
  network: string
  onDrafts: (drafts: DraftPackage[]) => void
  /** What was pasted and not taken over yet, and which of its lines could not be read; null while nothing is being pasted. */
  pasted: Pasted | null
  onPasted: (pasted: Pasted | null) => void
}

export type Pasted = { text: string; problems: readonly PastedLine[] }

/** The offers of a product with both prices, in the order in which the store shows them. */
export function PackagesEditor({ drafts, errors, supplier, network, onDrafts, pasted, onPasted }: Props) {
  const [news, setNews] = useState('')
  const list = useRef<HTMLOListElement>(null)

  const focusLine = (key: string, control: string) => {
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-line="${key}"] ${control}`)?.focus())
  }
  const change = (key: string, part: Partial<DraftPackage>) =>
    onDrafts(drafts.map((draft) => (draft.key === key ? { ...draft, ...part } : draft)))
  const add = () => {
    const line = blankPackage()
    onDrafts([...drafts, line])
    focusLine(line.key, 'input')
  }
  const remove = (index: number) => {
    const next = drafts.filter((_, at) => at !== index)
    onDrafts(next)
    setNews(`Removed ${drafts[index]?.offer || 'the line'}`)
    const neighbour = next[Math.min(index, next.length - 1)]
    if (neighbour) focusLine(neighbour.key, 'input')
  }
  const move = (index: number, step: 1 | -1) => {
    onDrafts(moveLine(drafts, index, step))
    setNews(`${drafts[index]?.offer || 'The line'} is now number ${index + step + 1}`)
  }

  return (
    <fieldset className="min-w-0">
      <legend className="text-body font-semibold">Packages</legend>
      <div className="hidden grid-cols-[1fr_8rem_8rem_8.25rem] gap-2 pt-2 text-small text-muted sm:grid" aria-hidden="true">
        <span>Offer</span>
        <span>Customer price</span>
        <span>Agent price</span>
      </div>
      {drafts.length === 0 && <p className="pt-2 text-muted">No packages yet. Add one, or paste a whole list.</p>}
      <ol ref={list} className="flex flex-col gap-2 pt-1 max-sm:gap-3 max-sm:pt-2">
        {drafts.map((draft, index) => (
          <li
            key={draft.key}
            data-line={draft.key}
            className="grid grid-cols-2 gap-2 max-sm:rounded-box max-sm:border max-sm:border-line max-sm:p-3 sm:grid-cols-[1fr_8rem_8rem_8.25rem] sm:items-start"
          >
            <LineFields
              draft={draft}
              errors={errors}
              number={index + 1}
              supplier={supplier}
              network={network}
              onChange={(part) => change(draft.key, part)}
            />
            <div className="col-span-2 flex justify-end sm:col-span-1">
              <IconButton label={`Move ${draft.offer || 'line'} up`} disabled={index === 0} onClick={() => move(index, -1)}>
                <ArrowUp className="size-4.5" aria-hidden="true" />
              </IconButton>
              <IconButton
                label={`Move ${draft.offer || 'line'} down`}
                disabled={index === drafts.length - 1}
                onClick={() => move(index, 1)}
              >
                <ArrowDown className="size-4.5" aria-hidden="true" />
              </IconButton>
              <IconButton label={`Remove ${draft.offer || 'line'}`} onClick={() => remove(index)}>
                <Trash2 className="size-4.5" aria-hidden="true" />
              </IconButton>
            </div>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2 pt-3">
        <Button
          variant="secondary"
          icon={<Plus className="size-4.5" aria-hidden="true" />}
          disabled={drafts.length >= MAX_PACKAGES}
          onClick={add}
        >
          Add package
        </Button>
        {!pasted && (
          <Button
            variant="quiet"
            icon={<ClipboardPaste className="size-4.5" aria-hidden="true" />}
            onClick={() => onPasted({ text: '', problems: [] })}
          >
            Paste many
          </Button>
        )}
      </div>
      {pasted && (
        <PasteBox
          pasted={pasted}
          onPasted={onPasted}
          onPaste={(packages) => {
            onDrafts(mergePackages(drafts, packages))
            onPasted(null)
            setNews(`${counted(packages.length, 'line')} added`)
          }}
        />
      )}
      <p role="status" className="sr-only">
        {news}
      </p>
    </fieldset>
  )
}

type LineProps = {
  draft: DraftPackage
  errors: Props['errors']
  number: number
  supplier: string | null
  network: string
  onChange: (part: Partial<DraftPackage>) => void
}

function LineFields({ draft, errors, number, supplier, network, onChange }: LineProps) {
  const [customer, agent] = [pesewasIn(draft.priceCustomer), pesewasIn(draft.priceAgent)]
  const field = (part: 'offer' | 'priceCustomer' | 'priceAgent') => {
    const name = `packages.${draft.key}.${part}`
    return { name, value: draft[part], error: errors[name] }
  }
  return (
    <>
      <Field
        label={`Offer ${number}`}
        hideLabel
        className="col-span-2 min-w-0 sm:col-span-1"
        {...field('offer')}
        maxLength={60}
        placeholder="Offer, like 1GB"
        warning={supplier && draft.offer.trim() && !namesDelivery(network, draft.offer) ? unreadable(supplier, network) : null}
        onChange={(event) => onChange({ offer: event.currentTarget.value })}
      />
      <MoneyField
        label={`Customer price of offer ${number}`}
        hideLabel
        className="min-w-0"
        {...field('priceCustomer')}
        placeholder="Customer"
        onValue={(priceCustomer) => onChange({ priceCustomer })}
      />
      <MoneyField
        label={`Agent price of offer ${number}`}
        hideLabel
        className="min-w-0"
        {...field('priceAgent')}
        placeholder="Agent"
        warning={customer && agent && agent > customer ? 'More than the customer price' : null}
        onValue={(priceAgent) => onChange({ priceAgent })}
      />
    </>
  )
}

function unreadable(supplier: string, network: string): string {
  if (network === 'Airtime') return `${supplier} needs one network and one amount, like MTN GHS 5. We can’t read them here.`
  return `${supplier} needs one volume, like 1GB or 500MB. We can’t read one here.`
}

type PasteProps = { pasted: Pasted; onPasted: (pasted: Pasted | null) => void; onPaste: (packages: PackageInput[]) => void }

/** A whole price list at once; nothing is taken over while a line cannot be read. */
function PasteBox({ pasted: { text, problems }, onPasted, onPaste }: PasteProps) {
  const { packages } = parsePackages(text)
  const take = () => {
    const read = parsePackages(text)
    if (read.problems.length === 0 && read.packages.length > 0) onPaste(read.packages)
    else onPasted({ text, problems: read.problems })
  }
  return (
    <div className="mt-3 rounded-box border border-line bg-paper p-3">
      <TextareaField
        label="Paste many lines"
        hint="One package per line: offer, customer price, agent price. Offers you already have get the new prices."
        rows={5}
        autoFocus
        placeholder={'1GB, 5.50, 4.70\n2GB, 10.50, 9.30'}
        value={text}
        onChange={(event) => {
          onPasted({ text: event.currentTarget.value, problems: [] })
        }}
      />
      {problems.length > 0 && (
        <ul role="alert" className="pt-2 text-small font-medium text-danger">
          {problems.slice(0, 8).map((problem) => (
            <li key={problem.line} className="break-words">
              Line {problem.line}, “{problem.text.slice(0, 40)}”: {problem.message}
            </li>
          ))}
          {problems.length > 8 && <li>And {counted(problems.length - 8, 'more line')}.</li>}
        </ul>
      )}
      <div className="flex flex-wrap gap-2 pt-3">
        <Button disabled={text.trim() === ''} onClick={take}>
          {packages.length > 0 ? `Add ${counted(packages.length, 'line')}` : 'Add'}
        </Button>
        <Button variant="quiet" onClick={() => onPasted(null)}>
          {text.trim() === '' ? 'Close' : 'Discard these lines'}
        </Button>
      </div>
    </div>
  )
}
