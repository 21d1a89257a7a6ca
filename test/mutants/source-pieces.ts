import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parse } from '@swc/core'
import { type Mutation, mutateSql } from './sql-mutations.ts'

/** A mutation of the SQL that stands in a source file: the file's text with it. */
export type SourceMutant = Pick<Mutation, 'kind' | 'at'> & { piece: string; file: string; code: string }

const ROOT = resolve(import.meta.dirname, '../..')
const FILES = [
  'server/ledger/ledger.ts',
  'server/features/orders/purchases/purchases.sql.ts',
  'server/features/card/payments/payments.sql.ts',
  'server/features/card/payments/webhook-events.sql.ts',
  'server/features/card/payments/disputes.sql.ts',
  'server/features/card/payments/top-ups.sql.ts',
  'server/features/orders/orders/payment-losses.sql.ts',
  'server/features/orders/orders/deliveries.sql.ts',
  'server/features/orders/orders/reports.sql.ts',
  'server/features/wallet/recharges/recharges.sql.ts',
  'server/features/agents/withdrawals/withdrawals.sql.ts',
  'server/features/orders/orders/refunds.sql.ts',
  'server/features/orders/orders/batch-locks.sql.ts',
  'server/features/card/payments/refunds-to-source.sql.ts',
  'server/features/office/day-close/day-close.sql.ts',
  'server/features/wallet/received-payments/received-payments.sql.ts',
  'server/features/card/refunds/refund-codes.sql.ts',
  'server/features/agents/withdrawals/earnings.sql.ts',
  'server/features/people/approvals/approvals.sql.ts',
  'server/features/agents/agent-shops/agent-shops.sql.ts',
  'server/features/people/referrals/referrals.sql.ts',
  'server/features/orders/bulk/bulk.sql.ts',
  'server/features/orders/bulk/schedules.sql.ts',
  'server/features/channels/api-keys/api-keys.sql.ts',
  'server/features/channels/webhooks/webhooks.sql.ts',
  'server/features/orders/checkers/checkers.sql.ts',
  'server/features/wallet/received-payments/claims.sql.ts',
  'server/features/channels/conversations/conversations.sql.ts',
  'server/features/channels/conversations/customers.sql.ts',
  'server/features/channels/ussd/ussd.sql.ts',
  'server/features/channels/whatsapp/messages.sql.ts',
  'server/features/channels/whatsapp/settings.sql.ts',
  'server/features/channels/whatsapp/whatsapp.sql.ts',
  'server/features/messages/message-formats/formats.sql.ts',
  'server/features/orders/afa/afa.sql.ts',
]
/** Of the orders' SQL, what decides and refunds, and what gives out the orders that a card payment has bought. */
const ORDERS = {
  file: 'server/features/orders/orders/orders.sql.ts',
  functions: ['lockOrder', 'updateDecision', 'subtractFromTotalPurchase', 'claimOrderOfPayment', 'selectOrdersOfPayment'],
}
const SQL = /^\s*(select|insert|update|delete|with)\b|^\(\$\d|^[a-z]\.status = /
/** The words of a query that is cut up by `${…}`. */
const PART_OF_SQL = /\b(from|where|order by|join|and|or|for update|limit)\b|^\s*$/

/** Every mutation of the SQL text in the money features' sources. */
export async function sourceMutants(): Promise<SourceMutant[]> {
  const whole = await Promise.all(FILES.map((file) => mutantsOf(file, null)))
  return [...whole.flat(), ...(await mutantsOf(ORDERS.file, ORDERS.functions))]
}

type Span = { start: number; end: number; goesOn: boolean }

async function mutantsOf(file: string, functions: string[] | null): Promise<SourceMutant[]> {
  const path = resolve(ROOT, file)
  const source = await readFile(path)
  const code = source.toString('utf8')
  if (code.length !== source.length) throw new Error(`${file} has letters beyond ASCII: its positions would be wrong`)
  const tree = await parse(code, { syntax: 'typescript' })
  // The parser counts on from file to file; a file's own positions begin at its first token.
  const base = tree.span.start - leading(code)
  const spans: Span[] = []
  const body = tree.body.filter((item) => !functions || functions.includes(exportedName(item)))
  if (functions && body.length !== functions.length) throw new Error(`${file} does not export all of ${functions.join(', ')}`)
  JSON.stringify(body, (_key, node) => {
    if (node?.type === 'TemplateElement') spans.push({ start: node.span.start - base, end: node.span.end - base, goesOn: !node.tail })
    if (node?.type === 'StringLiteral') spans.push({ start: node.span.start - base + 1, end: node.span.end - base - 1, goesOn: false })
    return node
  })
  return spans.flatMap(({ start, end, goesOn }) => {
    const text = code.slice(start, end)
    if (!SQL.test(text) && !(PART_OF_SQL.test(text) && /^\s/.test(text))) return []
    return mutateSql(text, { goesOn }).map((mutation) => ({
      piece: file,
      kind: mutation.kind,
      at: mutation.at,
      file: path,
      code: code.slice(0, start) + mutation.text + code.slice(end),
    }))
  })
}

function leading(code: string): number {
  const match = /^(\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*/.exec(code)
  return match?.[0].length ?? 0
}

function exportedName(item: { type: string }): string {
  const { declaration } = item as { declaration?: { identifier?: { value?: string } } }
  return declaration?.identifier?.value ?? ''
}
