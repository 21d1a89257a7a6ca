import { STATEMENT_WORDS } from '../../../../shared/readers/heading-words.ts'
import type { StatementRequest } from '../../../../shared/received-payments.ts'
import { askerOf, callAside } from '../../../platform/aside.ts'
import type { Ctx } from '../../../platform/context.ts'
import { Invalid } from '../../../platform/errors.ts'
import { readRows } from './read-rows.ts'
import { type Reading, recordPayments } from './record-payments.ts'

const READER = new URL('./read-rows.ts', import.meta.url)

/**
 * Reads a statement's cells and keeps the payments among its rows. Doubtful rows are reported and not kept. No money moves.
 * @throws Invalid when a column is missing, or no row has a transaction ID or an amount; whatever `callAside` throws.
 */
export async function receiveStatement(ctx: Ctx, statement: StatementRequest): Promise<Reading> {
  const { items, missing } = await callAside(askerOf(ctx), READER, readRows, statement)
  if (missing)
    throw new Invalid([{ path: `columns.${missing}`, message: `Choose the column with the ${STATEMENT_WORDS[missing][0].toLowerCase()}.` }])
  if (items.length === 0) throw new Invalid([{ path: 'rows', message: 'No row has a transaction ID or an amount.' }])
  return recordPayments(ctx, items, 'statement')
}
