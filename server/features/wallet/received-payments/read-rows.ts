import type { MomoNetwork } from '../../../../shared/message-formats.ts'
import type { StatementRole } from '../../../../shared/readers/heading-words.ts'
import { findPhones } from '../../../../shared/readers/read-phone.ts'
import { readStatement, type StatementLine } from '../../../../shared/readers/read-statement.ts'
import type { StatementRequest } from '../../../../shared/received-payments.ts'
import { type ReadMessage, withoutZeros } from '../../messages/message-formats/parse-message.ts'

/** The rows of a statement as messages, and the column without which nothing is read. For `callAside`. */
export function readRows({ network, headings, rows, columns, answers }: StatementRequest): {
  items: ReadMessage[]
  missing: StatementRole | undefined
} {
  const numbered = rows.map((cells, index) => ({ line: index + 1, cells }))
  const { lines, missing } = readStatement({ headings, rows: numbered, columns }, answers)
  return { items: lines.map((line) => toMessage(network, line)), missing: missing[0] }
}

const UNCOUNTED = {
  out: ['money-out', 'Money that you sent, paid or withdrew.'],
  failed: ['failed', 'It failed: no money came.'],
  open: ['failed', 'It wasn’t finished: no money came yet.'],
  other: ['other', 'It is no payment of a customer.'],
} as const

function toMessage(network: MomoNetwork, line: StatementLine): ReadMessage {
  const { kind, text, reasons, amountPesewas, reference } = line
  const common = {
    network,
    transactionId: withoutZeros(line.transactionId),
    balancePesewas: line.balancePesewas,
    raw: `Statement: ${text}`,
  }
  if (kind !== 'in' || amountPesewas === null) {
    const [uncounted, says] =
      kind === 'doubtful' || kind === 'in' ? (['other', `Not read: ${reasons.join(' ')}`] as const) : UNCOUNTED[kind]
    return { ...common, amountPesewas, kind: uncounted, says, feePesewas: 0 }
  }
  return {
    ...common,
    kind: 'credit',
    amountPesewas,
    payerName: line.payer,
    byAgent: false,
    payerPhone: line.payerPhone,
    typedPhone: findPhones(reference ?? '')[0]?.digits ?? null,
    reference,
    sentAt: line.at,
    doubts: reasons.length > 0 ? ['unclear-row'] : [],
  }
}
