import { IDEMPOTENCY_KEY_HEADER } from '../../../../shared/limits.ts'
import { toCedis, toPesewas } from '../../../../shared/money.ts'
import { PIN_PROOF_HEADER } from '../../../../shared/pin-rules.ts'
import { withdrawalEndpoints } from '../../../../shared/withdrawals.ts'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { NotFound } from '../../../platform/errors.ts'
import type { Api } from '../../../platform/http/api.ts'
import { toPage } from '../../../platform/http/lists.ts'
import { mount } from '../../../platform/http/mount.ts'
import { approveWithdrawal } from './approve-withdrawal.ts'
import { cancelWithdrawal } from './cancel-withdrawal.ts'
import { changeRules } from './change-rules.ts'
import { checkWithdrawal } from './check-withdrawals.ts'
import { confirmPayoutNumber } from './confirm-payout-number.ts'
import { declineWithdrawal } from './decline-withdrawal.ts'
import { deletePayoutNumber } from './delete-payout-number.ts'
import { countMovements, selectEarningsOf, selectMovements } from './earnings.sql.ts'
import {
  presentEarnings,
  presentMovement,
  presentPayoutNumber,
  presentRules,
  presentStaffWithdrawal,
  presentWithdrawal,
} from './present.ts'
import { readEarnings, readWithdrawable } from './queries.ts'
import { recordWithdrawalPaid } from './record-withdrawal-paid.ts'
import { requestWithdrawal } from './request-withdrawal.ts'
import { selectRules } from './rules.sql.ts'
import { sendPayoutCode } from './send-payout-code.ts'
import { selectOwnWithdrawals, selectStaffWithdrawal, selectWithdrawals, type WithdrawalRow } from './withdrawals.sql.ts'

/** `wake` starts the loop that sends what may go out. */
export function withdrawalRoutes(app: Api, { gateway, sms, wake }: { gateway: CardGateway; sms: SmsGateway; wake: () => void }) {
  const { payouts } = gateway
  mount(
    app,
    withdrawalEndpoints,
    {
      'GET /earnings': async ({ ctx }) => {
        const view = await readEarnings(ctx.db, requireActor(ctx).id, ctx.now)
        return { earnings: view && presentEarnings(view, { providerPays: payouts.available, sendsCodes: sms.sender !== null }) }
      },

      'GET /earnings/movements': async ({ ctx, query }) => {
        const wallet = await selectEarningsOf(ctx.db, requireActor(ctx).id)
        if (!wallet) return { rows: [], total: 0 }
        const { accountId } = wallet
        const [rows, total] = await Promise.all([
          selectMovements(ctx.db, { accountId, ...toPage(query) }),
          countMovements(ctx.db, accountId),
        ])
        return { rows: rows.map(presentMovement), total }
      },

      'GET /earnings/withdrawals': async ({ ctx, query }) => {
        const wallet = await selectEarningsOf(ctx.db, requireActor(ctx).id)
        if (!wallet) return { rows: [], total: 0 }
        const { withdrawals, total } = await selectOwnWithdrawals(ctx.db, { shopId: wallet.shopId, ...toPage(query) })
        return { rows: withdrawals.map(presentWithdrawal), total }
      },

      'POST /earnings/withdrawals': async ({ ctx, body, headers }) => {
        const withdrawal = await requestWithdrawal(ctx, payouts, body, {
          key: headers[IDEMPOTENCY_KEY_HEADER],
          pinProof: headers[PIN_PROOF_HEADER],
        })
        if (withdrawal.status === 'ready') wake()
        return ownReply(ctx, withdrawal)
      },

      'POST /earnings/payout-numbers/code': async ({ ctx, body }) => {
        const { isConfirmed, waitMs } = await sendPayoutCode(ctx, sms, body.phoneNumber)
        return { confirmed: isConfirmed, waitSeconds: Math.ceil(waitMs / 1_000) }
      },

      'POST /earnings/payout-numbers': async ({ ctx, body }) => ({
        number: presentPayoutNumber(await confirmPayoutNumber(ctx, sms, { phone: body.phoneNumber, code: body.code })),
      }),

      'POST /earnings/payout-numbers/remove': async ({ ctx, body }) => {
        await deletePayoutNumber(ctx, body.phoneNumber)
        return { message: 'The number was removed.' }
      },

      'PUT /earnings/withdrawals/:id/cancel': async ({ ctx, params }) => ownReply(ctx, await cancelWithdrawal(ctx, params.id)),

      'GET /withdrawals': async ({ ctx, query: { open, ...list } }) => {
        const { withdrawals, total } = await selectWithdrawals(ctx.db, { ...toPage(list), open: open === 'true' })
        return { rows: withdrawals.map(presentStaffWithdrawal), total }
      },

      'PUT /withdrawals/:id/approve': async ({ ctx, params }) => {
        await approveWithdrawal(ctx, payouts, params.id)
        wake()
        return staffReply(ctx, params.id)
      },

      'PUT /withdrawals/:id/pay-by-hand': async ({ ctx, params, body }) => {
        await recordWithdrawalPaid(ctx, gateway, params.id, body.transactionId)
        return staffReply(ctx, params.id)
      },

      'PUT /withdrawals/:id/decline': async ({ ctx, params, body }) => {
        await declineWithdrawal(ctx, gateway, params.id, body.reason)
        return staffReply(ctx, params.id)
      },

      'PUT /withdrawals/:id/check': async ({ ctx, params }) => {
        await checkWithdrawal(ctx, gateway, params.id)
        return staffReply(ctx, params.id)
      },

      'GET /withdrawals/rules': async ({ ctx }) => ({ rules: presentRules(await selectRules(ctx.db)), available: payouts.available }),

      'PUT /withdrawals/rules': async ({ ctx, body }) => {
        const { minimum, fee, unapproved, ...rest } = body
        const given = {
          ...rest,
          minimumPesewas: minimum === undefined ? undefined : toPesewas(minimum),
          feePesewas: fee === undefined ? undefined : toPesewas(fee),
          unapprovedPesewas: unapproved === undefined ? undefined : toPesewas(unapproved),
        }
        const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
        return { rules: presentRules(await changeRules(ctx, change)), available: payouts.available }
      },
    },
    {
      'PUT /earnings/withdrawals/:id/cancel': { share: 'changes' },
      'POST /earnings/payout-numbers/remove': { share: 'changes' },
      'POST /earnings/withdrawals': { share: ['withdrawal', 'money to and fro'] },
      'POST /earnings/payout-numbers/code': { share: ['payout code', 'codes by SMS'] },
      'POST /earnings/payout-numbers': { share: 'payout code typed' },
    },
  )
}

async function ownReply(ctx: Ctx, row: WithdrawalRow) {
  return {
    withdrawal: presentWithdrawal(row),
    withdrawable: toCedis(await readWithdrawable(ctx.db, requireActor(ctx).id, ctx.now)),
  }
}

async function staffReply(ctx: Ctx, id: string) {
  const row = await selectStaffWithdrawal(ctx.db, id)
  if (!row) throw new NotFound('withdrawal')
  return { withdrawal: presentStaffWithdrawal(row) }
}
