import { useState } from 'react'
import { formatDateTime } from '../../../../../shared/dates.ts'
import type { MomoNetwork } from '../../../../../shared/message-formats.ts'
import { STATEMENT_WORDS, type StatementRole } from '../../../../../shared/readers/heading-words.ts'
import { type ReadStatement, readStatement, type StatementKind, type StatementLine } from '../../../../../shared/readers/read-statement.ts'
import type { Sheet } from '../../../../../shared/readers/sheets.ts'
import { MOST_STATEMENT_ROWS } from '../../../../../shared/received-payment-rules.ts'
import type { ReadReply } from '../../../../../shared/received-payments.ts'
import { call } from '../../../../lib/api.ts'
import { type FileKind, useTableImport } from '../../../../lib/use-table-import.ts'
import { SelectField } from '../../../../ui/field.tsx'
import { ImportDialog } from '../../../../ui/import-dialog.tsx'
import { Money } from '../../../../ui/money.tsx'

const NETWORKS: readonly Exclude<MomoNetwork, 'Other'>[] = ['MTN', 'Telecel', 'AirtelTigo', 'GhanaPay']
const PREVIEWED = 3

type Props = { name: string; sheets: readonly Sheet[]; onClose: () => void; onRead: (reading: ReadReply) => void }

const STATEMENT = {
  name: 'statement',
  words: STATEMENT_WORDS,
  read: (table, answers) => readStatement(table, answers, new Date()),
} satisfies FileKind<StatementRole, ReadStatement>

/** What a statement says, row by row, before the shop reads it. The shop reads the same cells itself. */
export default function StatementDialog({ name, sheets, onClose, onRead }: Props) {
  const from = useTableImport(STATEMENT, sheets)
  const { table, columns, answers } = from
  const { lines, missing } = from.read
  const [network, setNetwork] = useState<MomoNetwork>(() => guessNetwork(name, sheets))
  const sure = lines.filter(({ kind, reasons }) => kind === 'in' && reasons.length === 0)
  // The shop takes each transaction once.
  const certain = [...new Map(sure.toReversed().map((line) => [line.transactionId, line])).values()].toReversed()
  const problem =
    table.rows.length > MOST_STATEMENT_ROWS
      ? `This file has ${table.rows.length.toLocaleString('en')} rows. Upload at most ${MOST_STATEMENT_ROWS.toLocaleString('en')} at once.`
      : missing.length === 0 && lines.length === 0
        ? 'No row has a transaction ID or an amount. Check the columns.'
        : null
  const send = async () => {
    const rows = table.rows.map(({ cells }) => [...cells])
    const body = { network, headings: [...table.headings], rows, columns, answers }
    onRead(await call('POST /received-payment/statement', { body }))
  }
  const heapOf = (kind: StatementKind) => {
    const those = lines.filter((line) => line.kind === kind)
    return { count: those.length, cedis: sumOf(those) }
  }
  return (
    <ImportDialog
      title="Check the statement"
      file={name}
      from={from}
      problem={problem}
      before={
        <SelectField label="Network" value={network} onChange={(event) => setNetwork(event.currentTarget.value as MomoNetwork)}>
          {NETWORKS.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </SelectField>
      }
      counts={[
        { label: 'Money in', count: certain.length, cedis: sumOf(certain), tone: 'done' },
        { label: 'Twice', count: sure.length - certain.length },
        { label: 'Money out', ...heapOf('out') },
        { label: 'Failed', ...heapOf('failed') },
        { label: 'Not finished', ...heapOf('open') },
        { label: 'No payments', ...heapOf('other') },
      ]}
      doubtful={lines.flatMap(({ line, text, reasons }) => (reasons[0] ? [{ line, text, reason: reasons.join(' ') }] : []))}
      take={lines.length === 1 ? 'Read 1 row' : `Read ${lines.length.toLocaleString('en')} rows`}
      isEmpty={lines.length === 0}
      onTake={send}
      onClose={onClose}
    >
      {certain.length > 0 && (
        <section aria-label="The first rows" className="flex flex-col gap-2">
          <h3 className="font-semibold">This is how we read it</h3>
          {certain.slice(0, PREVIEWED).map((row) => (
            <p key={row.line} className="rounded-box bg-sunken px-3 py-2 text-small">
              <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                <b>{row.payer ?? row.payerPhone ?? 'Payer not named'}</b>
                <span>
                  <Money cedis={(row.amountPesewas ?? 0) / 100} /> came in
                </span>
              </span>
              <span className="tabular text-muted">
                {row.transactionId}
                {row.at && ` · ${formatDateTime(row.at)}`}
                {row.reference && ` · reference ${row.reference}`}
              </span>
            </p>
          ))}
        </section>
      )}
    </ImportDialog>
  )
}

function sumOf(lines: readonly StatementLine[]): number {
  return lines.reduce((sum, { amountPesewas }) => sum + (amountPesewas ?? 0), 0) / 100
}

function guessNetwork(name: string, sheets: readonly Sheet[]): MomoNetwork {
  const first = sheets.flatMap(({ rows }) => rows.slice(0, 10)).flatMap(({ cells }) => cells)
  const text = [name, ...first].join(' ')
  return NETWORKS.find((network) => new RegExp(network, 'i').test(text)) ?? 'MTN'
}
