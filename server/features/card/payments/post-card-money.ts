import { postTransfer } from '../../../ledger/ledger.ts'
import type { Ctx } from '../../../platform/context.ts'
import type { Tx } from '../../../platform/db.ts'

type Move = { key: string; memo: string; from: number; to: number; pesewas: number }

/** Books a transfer of what came by card between a wallet and an account where it waits. Accounts by their numbers. */
export async function postCardMoney(tx: Tx, ctx: Ctx, { key, memo, from, to, pesewas }: Move): Promise<void> {
  await postTransfer(tx, {
    key,
    kind: 'card-payment',
    memo,
    actorId: null,
    lines: [
      { accountId: from, amountPesewas: -pesewas },
      { accountId: to, amountPesewas: pesewas },
    ],
    now: ctx.now,
  })
}
