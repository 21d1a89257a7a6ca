import { toCedis } from '../../../shared/money.ts'
import { refundEndpoints } from '../../../shared/refunds.ts'
import type { Api } from '../../platform/http/api.ts'
import { mount } from '../../platform/http/mount.ts'
import { claimRefund } from './claim-refund.ts'
import { createCodes } from './create-codes.ts'

const SHOWN = { of: 'refund code shown', by: 'address', size: 30, everyMs: 10_000 } as const
/** A guess would have to meet one of 31 to the power of 12. */
const CLAIMS = { of: 'refund code', by: 'user', size: 10, everyMs: 60_000 } as const

export function refundRoutes(app: Api) {
  mount(
    app,
    refundEndpoints,
    {
      'POST /shops/payment/:reference/refund-codes': async ({ ctx, params }) => {
        const codes = await createCodes(ctx, params.reference)
        return { codes: codes.map(({ amountPesewas, code }) => ({ amount: toCedis(amountPesewas), code })) }
      },
      'POST /refund-codes': async ({ ctx, body }) => {
        const { amountPesewas, balancePesewas } = await claimRefund(ctx, body.code)
        return { amount: toCedis(amountPesewas), balance: toCedis(balancePesewas) }
      },
    },
    {
      'POST /shops/payment/:reference/refund-codes': { config: { attempts: SHOWN } },
      'POST /refund-codes': { config: { attempts: CLAIMS } },
    },
  )
}
