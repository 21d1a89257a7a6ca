import { useId, useState } from 'react'
import { formatPesewas } from '../../../../../shared/money.ts'
import { counted } from '../../../../lib/admin/words.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { SelectField, TextareaField } from '../../../../ui/field.tsx'
import { ImportReview } from '../../../../ui/import-review.tsx'
import type { GridProduct } from './price-draft.ts'
import { assignRoles, type PriceRole, readPriceList, unnamedPrices } from './read-price-list.ts'

const LONGEST_LIST = 20_000
const COLUMNS: Record<PriceRole, string> = { customer: 'Customer price', agent: 'Agent price', cost: 'Cost' }
/** What unnamed prices may be, by how many there are on a line. */
const ORDERS: readonly (readonly PriceRole[])[][] = [
  [['customer'], ['agent'], ['cost']],
  [
    ['customer', 'agent'],
    ['agent', 'customer'],
    ['cost', 'customer'],
    ['cost', 'agent'],
  ],
  [
    ['cost', 'customer', 'agent'],
    ['cost', 'agent', 'customer'],
    ['customer', 'agent', 'cost'],
  ],
]

type Props = {
  product: GridProduct
  text?: string
  onClose: () => void
  onTake: (prices: ReadonlyMap<string, Partial<Record<PriceRole, number>>>) => void
}

/** Reads a list as it was pasted, and shows what was understood before anything changes. */
export function PriceListDialog({ product, text: pasted = '', onClose, onTake }: Props) {
  const [text, setText] = useState(pasted)
  const [chosen, setChosen] = useState('')
  const headingId = useId()
  const lines = readPriceList(
    text,
    product.network,
    product.packages.map(({ offer }) => offer),
  )
  const unnamed = unnamedPrices(lines)
  const orders = ORDERS[Math.min(unnamed, ORDERS.length) - 1] ?? []
  const order = orders.find((one) => one.join() === chosen)
  const mustChoose = unnamed > 0 && !order
  const { prices, unread } = assignRoles(lines, order ?? orders[0] ?? [])
  const used = [...new Set([...prices.values()].flatMap((found) => Object.keys(found) as PriceRole[]))]
  const shown = (Object.keys(COLUMNS) as PriceRole[]).filter((role) => used.includes(role))

  return (
    <Dialog
      title="Paste a price list"
      kicker={product.network}
      wide
      onClose={onClose}
      yes={{
        disabled: prices.size === 0 || mustChoose,
        onClick: () => {
          onTake(prices)
          onClose()
        },
        children: prices.size === 0 ? 'Use these prices' : `Use ${counted(prices.size, 'line')}`,
      }}
    >
      <div className="flex flex-col gap-4">
        <TextareaField
          label="The list, from WhatsApp or a spreadsheet"
          hint="One package per line. Nothing is live until you publish."
          rows={6}
          autoFocus={pasted === ''}
          maxLength={LONGEST_LIST}
          placeholder={'1GB - 5.50\n2 GB = ¢11\n5GB 24.5/23'}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {unnamed > 0 && (
          <SelectField
            label={unnamed === 1 ? 'These prices are' : `The ${unnamed} prices on a line are`}
            value={order ? chosen : ''}
            onChange={(event) => setChosen(event.currentTarget.value)}
          >
            <option value="" disabled>
              Choose
            </option>
            {orders.map((roles) => (
              <option key={roles.join()} value={roles.join()}>
                {roles.map((role) => COLUMNS[role]).join(', then ')}
              </option>
            ))}
          </SelectField>
        )}
        {lines.length > 0 && (
          <ImportReview
            counts={[{ label: 'Packages read', count: prices.size, tone: 'done' }]}
            doubtful={unread.map(({ line, text: raw, problem }) => ({ line, text: raw, reason: problem }))}
          >
            {!mustChoose && prices.size > 0 && (
              <section aria-labelledby={headingId}>
                <h3 id={headingId} className="pb-1 text-body font-semibold">
                  {counted(prices.size, 'package')} read
                </h3>
                <table className="tabular w-full text-body">
                  <thead>
                    <tr className="text-small text-muted">
                      <th scope="col" className="py-1 text-left font-medium">
                        Package
                      </th>
                      {shown.map((role) => (
                        <th key={role} scope="col" className="py-1 text-right font-medium">
                          {COLUMNS[role]}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {product.packages
                      .filter(({ offer }) => prices.has(offer))
                      .map((line) => (
                        <tr key={line.offer} className="border-t border-line">
                          <th scope="row" className="py-1.5 text-left font-semibold">
                            {line.offer}
                          </th>
                          {shown.map((role) => {
                            const to = prices.get(line.offer)?.[role]
                            const from = line[role]
                            return (
                              <td key={role} className="py-1.5 text-right whitespace-nowrap">
                                {to === undefined ? (
                                  <span className="text-muted">not in the list</span>
                                ) : (
                                  <>
                                    {from !== null && from !== to && <s className="mr-2 text-small text-muted">{formatPesewas(from)}</s>}
                                    <span className="font-semibold">{formatPesewas(to)}</span>
                                  </>
                                )}
                              </td>
                            )
                          })}
                        </tr>
                      ))}
                  </tbody>
                </table>
              </section>
            )}
          </ImportReview>
        )}
      </div>
    </Dialog>
  )
}
