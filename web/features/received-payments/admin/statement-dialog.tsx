import { useState } from 'react'
import { formatDateTime } from '../../../../shared/dates.ts'
import type { MomoNetwork } from '../../../../shared/message-formats.ts'
import type { ReadReply, StatementRow } from '../../../../shared/received-payments.ts'
import { call } from '../../../lib/api.ts'
import { messageOf } from '../../../lib/http.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { Money } from '../../../ui/money.tsx'
import { NoticeBox } from '../../../ui/notice-box.tsx'
import { COLUMN_NAMES, type ColumnName, type Columns, guessColumns, readRows } from './guess-columns.ts'
import type { Table } from './read-table.ts'

const NETWORKS: readonly Exclude<MomoNetwork, 'Other'>[] = ['MTN', 'Telecel', 'AirtelTigo', 'GhanaPay']
const KINDS: Record<StatementRow['kind'], string> = { in: 'came in', out: 'went out', failed: 'failed' }
const PREVIEWED = 3
/** As many as the shop takes at once. */
const MOST_ROWS = 1_000

type Props = { table: Table; onClose: () => void; onRead: (reading: ReadReply) => void }

/** Which column of a statement holds what, guessed from its headings, before its rows are read. */
export default function StatementDialog({ table, onClose, onRead }: Props) {
  const [network, setNetwork] = useState<MomoNetwork>(() => guessNetwork(table))
  const [columns, setColumns] = useState<Columns>(() => guessColumns(table.headings))
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const { rows, skipped, problem } = readRows(table, columns)
  const tooMany = rows.length > MOST_ROWS ? `This file has ${rows.length} rows. Upload at most ${MOST_ROWS} at once.` : null

  const choose = (name: ColumnName, at: string) => {
    const { [name]: _before, ...others } = columns
    setColumns(at === '' ? others : { ...others, [name]: Number(at) })
  }
  const read = async () => {
    setBusy(true)
    setRefused(null)
    try {
      onRead(await call('POST /received-payment/statement', { body: { network, rows } }))
    } catch (error) {
      setRefused(messageOf(error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      wide
      title="Check the columns"
      kicker={table.name}
      onClose={onClose}
      footer={
        <Button block size="large" busy={busy} disabled={problem !== null || tooMany !== null} onClick={() => void read()}>
          {rows.length === 1 ? 'Read 1 row' : `Read ${rows.length} rows`}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          <SelectField label="Network" value={network} onChange={(event) => setNetwork(event.currentTarget.value as MomoNetwork)}>
            {NETWORKS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </SelectField>
          {(Object.keys(COLUMN_NAMES) as ColumnName[]).map((name) => (
            <SelectField
              key={name}
              label={COLUMN_NAMES[name]}
              value={columns[name] ?? ''}
              onChange={(event) => choose(name, event.currentTarget.value)}
            >
              <option value="">Not in this file</option>
              {table.headings.map((heading, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a file may have the same heading.
                <option key={index} value={index}>
                  {heading || `Column ${index + 1}`}
                </option>
              ))}
            </SelectField>
          ))}
        </div>
        {(problem ?? tooMany ?? refused) && <NoticeBox tone="danger">{problem ?? tooMany ?? refused}</NoticeBox>}
        {rows.length > 0 && (
          <section aria-label="The first rows" className="flex flex-col gap-2">
            <h3 className="font-semibold">This is how we read it</h3>
            {rows.slice(0, PREVIEWED).map((row) => (
              <p key={row.transactionId} className="rounded-box bg-sunken px-3 py-2 text-small">
                <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                  <b>{row.payer ?? row.payerPhone ?? 'Payer not named'}</b>
                  <span>
                    <Money cedis={row.amount} /> {KINDS[row.kind]}
                  </span>
                </span>
                <span className="tabular text-muted">
                  {row.transactionId}
                  {row.at && ` · ${formatDateTime(new Date(row.at))}`}
                  {row.reference && ` · reference ${row.reference}`}
                </span>
              </p>
            ))}
            {skipped > 0 && (
              <p className="text-small text-muted">
                {skipped} {skipped === 1 ? 'line has' : 'lines have'} no transaction ID or amount and {skipped === 1 ? 'is' : 'are'} left
                out.
              </p>
            )}
          </section>
        )}
      </div>
    </Dialog>
  )
}

function guessNetwork({ name, headings, rows }: Table): MomoNetwork {
  const text = [name, ...headings, ...(rows[0] ?? [])].join(' ')
  return NETWORKS.find((network) => new RegExp(network, 'i').test(text)) ?? 'MTN'
}
