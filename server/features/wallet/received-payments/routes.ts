import { claimEndpoints } from '../../../../shared/claims.ts'
import type { MessageFormat } from '../../../../shared/message-formats.ts'
import { toCedis } from '../../../../shared/money.ts'
import { receivedPaymentEndpoints } from '../../../../shared/received-payments.ts'
import { requireActor } from '../../../platform/context.ts'
import type { Api } from '../../../platform/http/api.ts'
import { toPage } from '../../../platform/http/lists.ts'
import { mount } from '../../../platform/http/mount.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { approveMatches } from './approve-matches.ts'
import { changeWaitingPayment } from './change-waiting-payment.ts'
import { claimPayment } from './claim-payment.ts'
import { selectClaims } from './claims.sql.ts'
import { creditPayment } from './credit-payment.ts'
import { presentClaim, presentListed, presentMatches, presentReading } from './present.ts'
import { readMatches } from './queries.ts'
import { receiveMessages } from './receive-messages.ts'
import { receiveStatement } from './receive-statement.ts'
import { selectPayments, selectQuestioned, selectWaitingRequests } from './received-payments.sql.ts'
import { takeBackPayment } from './take-back-payment.ts'

/** A thousand messages or rows. */
const BODY_LIMIT_BYTES = 512 * 1024

const CLAIMS_SHOWN = 10

type Deps = {
  /** Forms of messages that the shop has written down itself. */
  formats?: readonly MessageFormat[] | undefined
  limiter: RateLimiter
  /** Looks for what can be credited now. */
  wake: () => void
}

export function receivedPaymentRoutes(app: Api, { formats = [], limiter, wake }: Deps) {
  mount(
    app,
    claimEndpoints,
    {
      'GET /claim': async ({ ctx }) => {
        const { id } = requireActor(ctx)
        return (await selectClaims(ctx.db, id, CLAIMS_SHOWN)).map((row) => presentClaim(row, id, ctx.now))
      },
      'POST /claim': async ({ ctx, body }) => {
        const row = await claimPayment(ctx, limiter, body.transactionId)
        wake()
        return { claim: presentClaim(row, requireActor(ctx).id, ctx.now) }
      },
    },
    { 'POST /claim': { share: 'changes' } },
  )

  mount(
    app,
    receivedPaymentEndpoints,
    {
      'GET /received-payment': async ({ ctx, query }) => {
        const { payments, total } = await selectPayments(ctx.db, toPage(query))
        return { rows: payments.map(presentListed), total }
      },
      'GET /received-payment/matches': async ({ ctx }) => {
        const [matches, questioned, waiting] = await Promise.all([
          readMatches(ctx.db, ctx.now),
          selectQuestioned(ctx.db),
          selectWaitingRequests(ctx.db),
        ])
        return presentMatches(matches, questioned, waiting)
      },
      'POST /received-payment/messages': async ({ ctx, body }) => presentReading(await receiveMessages(ctx, body.text, formats)),
      'POST /received-payment/statement': async ({ ctx, body }) => presentReading(await receiveStatement(ctx, body)),
      'POST /received-payment/approve': async ({ ctx, body }) => {
        const { credited, amountPesewas, refused } = await approveMatches(ctx, body.matches)
        return { credited, amount: toCedis(amountPesewas), refused }
      },
      'POST /received-payment/:id/credit': async ({ ctx, params, body }) => {
        const { amountPesewas, username } = await creditPayment(ctx, params.id, body)
        return { amount: toCedis(amountPesewas), username }
      },
      'PUT /received-payment/:id/set-aside': async ({ ctx, params, body }) => ({
        message: await changeWaitingPayment(ctx, params.id, body),
      }),
      'POST /received-payment/:id/take-back': async ({ ctx, params, body }) => {
        const { amountPesewas, username } = await takeBackPayment(ctx, params.id, body.reason)
        return { amount: toCedis(amountPesewas), username }
      },
    },
    {
      'POST /received-payment/messages': { bodyLimit: BODY_LIMIT_BYTES },
      'POST /received-payment/statement': { bodyLimit: BODY_LIMIT_BYTES },
    },
  )
}
