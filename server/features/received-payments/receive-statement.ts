import type { MomoNetwork } from '../../../shared/message-formats.ts'
import { toPesewas } from '../../../shared/money.ts'
import { isMobilePhone, localDigits } from '../../../shared/phones.ts'
import type { StatementRow } from '../../../shared/received-payments.ts'
import type { Ctx } from '../../platform/context.ts'
import { type ReadMessage, withoutZeros } from '../message-formats/parse-message.ts'
import { type Reading, recordPayments } from './record-payments.ts'

/** Reads the rows of a statement and keeps the payments among them. No money moves. */
export function receiveStatement(ctx: Ctx, network: MomoNetwork, rows: readonly StatementRow[]): Promise<Reading> {
  return recordPayments(
    ctx,
    rows.map((row) => toMessage(network, row)),
    'statement',
  )
}

function toMessage(network: MomoNetwork, row: StatementRow): ReadMessage {
  const { kind, transactionId, amount, payer, reference, at } = row
  const raw = [at, transactionId, payer, row.payerPhone, reference, amount].filter((part) => part !== null && part !== '').join(' · ')
  const common = {
    network,
    transactionId: withoutZeros(transactionId),
    amountPesewas: toPesewas(amount),
    balancePesewas: row.balance === null ? null : Math.round(row.balance * 100),
    raw: `Statement: ${raw}`,
  }
  if (kind === 'out') return { ...common, kind: 'money-out', says: 'Money that you sent, paid or withdrew.', feePesewas: 0 }
  if (kind === 'failed') return { ...common, kind: 'failed', says: 'It failed: no money came.', feePesewas: 0 }
  const phone = localDigits((row.payerPhone ?? '').replace(/\D/g, ''))
  const typed = (reference ?? '')
    .match(/\d{9,12}/g)
    ?.map(localDigits)
    .find(isMobilePhone)
  return {
    ...common,
    kind: 'credit',
    payerName: payer?.trim() || null,
    byAgent: false,
    payerPhone: isMobilePhone(phone) ? phone : null,
    typedPhone: typed ?? null,
    reference: reference?.trim() || null,
    sentAt: at === null ? null : new Date(at),
    doubts: [],
  }
}
