import { CHECKER_STOCK, OWNER_FUNDS } from '../../../ledger/accounts.ts'
import { postTransfer } from '../../../ledger/ledger.ts'
import type { Tx } from '../../../platform/db.ts'
import type { lockImport } from './checkers.sql.ts'

type Import = NonNullable<Awaited<ReturnType<typeof lockImport>>>

/** Books an import that was taken out of the stock: what it cost is the owner's again. */
export async function postReturn(tx: Tx, id: string, { codes, kind, costPesewas }: Import, by: { actorId: string | null; now: Date }) {
  await postTransfer(tx, {
    key: `checker-return:${id}`,
    kind: 'checker-return',
    memo: `${codes} ${kind} checkers taken back`,
    lines: [
      { accountId: OWNER_FUNDS, amountPesewas: -costPesewas },
      { accountId: CHECKER_STOCK, amountPesewas: costPesewas },
    ],
    ...by,
  })
}
