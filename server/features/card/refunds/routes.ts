import { toCedis } from '../../../../shared/money.ts'
import { hintPhone } from '../../../../shared/phones.ts'
import { PIN_PROOF_HEADER } from '../../../../shared/pin-rules.ts'
import { refundEndpoints } from '../../../../shared/refunds.ts'
import type { CardGateway } from '../../../integrations/payments/card-gateway.ts'
import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { AppError, NotFound } from '../../../platform/errors.ts'
import type { Api } from '../../../platform/http/api.ts'
import { toPage } from '../../../platform/http/lists.ts'
import { mount } from '../../../platform/http/mount.ts'
import { guestBrowserOf } from '../../orders/orders/refuse-other-browser.ts'
import { checkRefundsOf } from '../payments/check-refunds.ts'
import { selectRefund } from '../payments/refunds-to-source.sql.ts'
import { changeToCode } from './change-to-code.ts'
import { claimRefund } from './claim-refund.ts'
import { createCodes } from './create-codes.ts'
import { presentRefund, presentRefundToSource } from './present.ts'
import { recordRefundPaid } from './record-refund-paid.ts'
import { selectStaffRefund, selectStaffRefunds } from './refunds.sql.ts'
import { selectCustomerRefund } from './refunds-of-customers.sql.ts'
import { requestRefundToSource } from './request-refund-to-source.ts'
import { sendCode, sendOwnCode } from './send-code.ts'
import { sendRefundAgain } from './send-refund-again.ts'

/** `wake` starts the loop that tells guests what became of their refunds. */
export function refundRoutes(app: Api, { gateway, sms, wake }: { gateway: CardGateway; sms: SmsGateway; wake: () => void }) {
  const acted = async (ctx: Ctx, id: string) => {
    wake()
    const row = await selectStaffRefund(ctx.db, id)
    if (!row) throw new NotFound('refund')
    return { refund: presentRefund(row) }
  }

  const readOwn = async (ctx: Ctx, orderId: string) => {
    const row = await selectCustomerRefund(ctx.db, { orderId, userId: requireActor(ctx).id })
    if (!row) throw new NotFound('refund')
    return row
  }

  mount(
    app,
    refundEndpoints,
    {
      'GET /order/:id/refund-to-source': async ({ ctx, params }) => ({
        refund: presentRefundToSource(await readOwn(ctx, params.id), gateway.refunds),
      }),
      'POST /order/:id/refund-to-source': async ({ ctx, params, headers }) => {
        await requestRefundToSource(ctx, gateway.refunds, params.id, headers[PIN_PROOF_HEADER])
        wake()
        const row = await readOwn(ctx, params.id)
        return { refund: presentRefundToSource(row, gateway.refunds), balance: toCedis(row.balancePesewas) }
      },
      'POST /shops/payment/:reference/refund-codes': async ({ ctx, params, request }) => {
        const codes = await createCodes(ctx, params.reference, guestBrowserOf(request))
        return { codes: codes.map(({ amountPesewas, code }) => ({ amount: toCedis(amountPesewas), code })) }
      },
      'POST /refund-codes': async ({ ctx, body }) => {
        const { amountPesewas, balancePesewas } = await claimRefund(ctx, body.code)
        return { amount: toCedis(amountPesewas), balance: toCedis(balancePesewas) }
      },
      'POST /shops/order/:reference/refund-code': async ({ ctx, params }) => {
        const phone = await sendOwnCode(ctx, sms, params.reference)
        return { message: `We sent the code to ${hintPhone(phone)}.` }
      },
      'GET /refunds': async ({ ctx, query: { list, ...page } }) => {
        const { refunds, total } = await selectStaffRefunds(ctx.db, { ...toPage(page), list })
        return { rows: refunds.map(presentRefund), total }
      },
      'PUT /refunds/:id/check': async ({ ctx, params }) => {
        const refund = await selectRefund(ctx.db, params.id)
        if (!refund) throw new NotFound('refund')
        if (refund.sentAt !== null && !(await checkRefundsOf(ctx, gateway, refund.paymentReference))) throw new NoAnswer()
        return acted(ctx, params.id)
      },
      'PUT /refunds/:id/send-again': async ({ ctx, params }) => {
        await sendRefundAgain(ctx, gateway, params.id)
        return acted(ctx, params.id)
      },
      'PUT /refunds/:id/code': async ({ ctx, params }) => {
        await changeToCode(ctx, gateway, params.id)
        return acted(ctx, params.id)
      },
      'PUT /refunds/:id/pay-by-hand': async ({ ctx, params, body }) => {
        await recordRefundPaid(ctx, gateway, params.id, body.transactionId)
        return acted(ctx, params.id)
      },
      'PUT /refunds/:id/send-code': async ({ ctx, params }) => {
        await sendCode(ctx, sms, params.id)
        return acted(ctx, params.id)
      },
    },
    {
      'POST /order/:id/refund-to-source': { share: 'refund to source' },
      'POST /shops/payment/:reference/refund-codes': { share: 'refund code shown' },
      'POST /refund-codes': { share: 'refund code' },
      'POST /shops/order/:reference/refund-code': { share: 'refund code sent' },
    },
  )
}

class NoAnswer extends AppError {
  constructor() {
    super('CONFLICT', 'The card provider gives no answer now. Please try again in a few minutes.')
  }
}
