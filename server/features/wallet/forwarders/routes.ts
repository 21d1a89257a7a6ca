import { forwardedEndpoints, forwarderEndpoints } from '../../../../shared/forwarders.ts'
import { toPesewas } from '../../../../shared/money.ts'
import type { Queryable } from '../../../platform/db.ts'
import { NotFound } from '../../../platform/errors.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { selectCreditRules } from '../received-payments/credit-rules.sql.ts'
import { changeCreditRules } from './change-credit-rules.ts'
import { confirmBalance } from './confirm-balance.ts'
import { createForwarder } from './create-forwarder.ts'
import { endForwarder } from './end-forwarder.ts'
import { type ForwarderRow, selectForwarder, selectForwarders, selectMessages } from './forwarders.sql.ts'
import { presentForwarded, presentForwarder, presentRules } from './present.ts'
import { readAgain } from './read-again.ts'
import { type Receiving, receiveForwarded } from './receive-forwarded.ts'
import { rotateKey } from './rotate-key.ts'
import { selectMomoWallets } from './wallets.sql.ts'

const MESSAGES_SHOWN = 50
/** An SMS with what an app adds; the longest is under 2 KB. */
const BODY_LIMIT_BYTES = 16 * 1024

export function forwarderRoutes(app: Api, deps: Receiving) {
  const present = async (db: Queryable, id: string, now: Date) => {
    const [row, wallets] = await Promise.all([selectForwarder(db, id), selectMomoWallets(db)])
    if (!row) throw new NotFound('phone')
    return presentForwarder(row, wallets, now)
  }

  mount(app, forwarderEndpoints, {
    'GET /forwarder': async ({ ctx: { db, now } }) => {
      const [rows, wallets, rules] = await Promise.all([selectForwarders(db), selectMomoWallets(db), selectCreditRules(db)])
      return { forwarders: rows.map((row: ForwarderRow) => presentForwarder(row, wallets, now)), rules: presentRules(rules) }
    },
    'POST /forwarder': async ({ ctx, body: { phone = null, ...wanted } }) => {
      const { id, key } = await createForwarder(ctx, deps.secretsKey, { ...wanted, phone })
      return { forwarder: await present(ctx.db, id, ctx.now), key }
    },
    'PUT /forwarder/rules': async ({ ctx, body }) => ({ rules: await changeCreditRules(ctx, body) }),
    'POST /forwarder/read-again': async ({ ctx }) => {
      const counts = await readAgain(ctx, deps.formats)
      deps.wake()
      return counts
    },
    'POST /forwarder/:id/rotate': async ({ ctx, params: { id } }) => {
      const key = await rotateKey(ctx, deps.secretsKey, id)
      return { forwarder: await present(ctx.db, id, ctx.now), key }
    },
    'DELETE /forwarder/:id': async ({ ctx, params }) => {
      await endForwarder(ctx, params.id)
      return { message: 'Removed. Nothing more is taken from this phone.' }
    },
    'PUT /forwarder/:id/balance': async ({ ctx, params: { id }, body: { network, balance } }) => {
      const proven = await confirmBalance(ctx, id, network, toPesewas(balance))
      deps.wake()
      return { forwarder: await present(ctx.db, id, ctx.now), proven }
    },
    'GET /forwarder/:id/messages': async ({ ctx, params }) =>
      (await selectMessages(ctx.db, params.id, MESSAGES_SHOWN)).map(presentForwarded),
  })

  app.register(async (scope: Api) => {
    // The signature covers the raw bytes, so this route must not parse the body.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    mount(
      scope,
      forwardedEndpoints,
      {
        'POST /forwarder/:id/message': async ({ ctx, params, request }) => {
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
          return { received: await receiveForwarded(ctx, deps, params.id, { body, headers: request.headers }) }
        },
      },
      { 'POST /forwarder/:id/message': { share: 'forwarded messages', bodyLimit: BODY_LIMIT_BYTES } },
    )
  })
}
