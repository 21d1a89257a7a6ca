import type * as SocketIoModule from 'socket.io'
import type * as QueryDeliveryStatusModule from '../../server/features/delivery/supplier/query-delivery-status.ts'
import type * as MessagesSqlModule from '../../server/features/messages/sms/messages.sql.ts'
import type * as DeliveriesSqlModule from '../../server/features/orders/orders/deliveries.sql.ts'
import type * as PlaceOrdersModule from '../../server/features/orders/purchases/place-orders.ts'
import type * as SendPasswordResetsModule from '../../server/features/people/auth/send-password-resets.ts'
import type * as ChangeBalanceModule from '../../server/features/wallet/wallet/change-balance.ts'
import type * as GsmTextModule from '../../server/integrations/sms/gsm-text.ts'
import type { DataSupplier } from '../../server/integrations/supplier/data-supplier.ts'
import type * as HubnetModule from '../../server/integrations/supplier/hubnet.ts'
import type * as RemadataModule from '../../server/integrations/supplier/remadata.ts'
import type * as DayCapsSqlModule from '../../server/platform/day-caps.sql.ts'
import type * as RealtimeModule from '../../server/platform/realtime.ts'
import type * as SuppliersModule from '../../shared/suppliers.ts'
import { beforeEach, type Guard, guard, inModule, type Replacement, replace, replaceInWeb } from './guard.ts'
import { followRedirects } from './shared-guards.ts'

type Realtime = typeof RealtimeModule
type Deliveries = typeof DeliveriesSqlModule
type Delivery = NonNullable<Awaited<ReturnType<Deliveries['selectDelivery']>>>

/** The gateway to Hubnet, changed after it was created. */
const changeHubnet = (change: (supplier: DataSupplier) => Partial<DataSupplier>): Replacement =>
  inModule<typeof HubnetModule>('../../server/integrations/supplier/hubnet.ts').wrap('createHubnet', (createHubnet, settings) => {
    const supplier = createHubnet(settings)
    return { ...supplier, ...change(supplier) }
  })

/** The shop reads deliveries changed in this way. */
const changeDeliveries = (change: (delivery: Delivery) => Delivery): Replacement =>
  replace<Deliveries>('../../server/features/orders/orders/deliveries.sql.ts', {
    selectDelivery:
      ({ selectDelivery }) =>
      async (db, orderId) => {
        const delivery = await selectDelivery(db, orderId)
        return delivery && change(delivery)
      },
    lockDelivery:
      ({ lockDelivery }) =>
      async (tx, orderId) => {
        const delivery = await lockDelivery(tx, orderId)
        return delivery && change(delivery)
      },
  })

const underAnotherReference = <D extends { reference: string }>(order: D): D => ({
  ...order,
  reference: [...order.reference].reverse().join(''),
})

/** K, L. Realtime and outside services. */
export const outsideGuards: Guard[] = [
  guard('K1', 3, "that a user's announcements go only to their own room", {
    replaced: [
      inModule<Realtime>('../../server/platform/realtime.ts').wrap('openRealtime', (openRealtime, options) => {
        const realtime = openRealtime(options)
        return {
          ...realtime,
          announce: (audience, ...what) =>
            realtime.announce(typeof audience === 'object' && 'staff' in audience ? audience : 'everyone', ...what),
        }
      }),
    ],
  }),
  guard('K2', 1, 'the authentication of sockets', {
    replaced: [
      inModule<Realtime>('../../server/platform/realtime.ts').wrap('openRealtime', (openRealtime, options) => {
        const anybody = { id: crypto.randomUUID(), roles: [], sessionHash: Buffer.alloc(32) }
        return openRealtime({ ...options, authenticate: async (token) => (await options.authenticate(token)) ?? anybody })
      }),
    ],
  }),
  guard('K3', 2, 'the channel between processes', {
    replaced: [
      inModule<Realtime>('../../server/platform/realtime.ts').wrap('openRealtime', (openRealtime, options) =>
        openRealtime({ ...options, shared: undefined }),
      ),
    ],
  }),
  guard('K4', 1, 'that a page asks for what it missed when it is online again', {
    replaced: [
      replaceInWeb('../../web/lib/query-client.ts', {
        queryClient: ({ queryClient }) => Object.assign(queryClient, { invalidateQueries: async () => {} }),
      }),
      replaceInWeb('../../web/features/people/users/api.ts', {
        refreshSessionUser: () => async () => {},
      }),
      replaceInWeb('../../web/features/people/users/shop-debits.ts', {
        refreshShopDebits: () => async () => {},
      }),
    ],
  }),
  guard('K5', 5, 'the version of a balance that is announced', {
    fromDatabase: (db) => beforeEach(db, 'update', 'wallets', 'new.version := 1;'),
  }),
  guard('K6', 2, 'that a change is announced only after its commit', {
    replaced: [
      inModule<typeof ChangeBalanceModule>('../../server/features/wallet/wallet/change-balance.ts').wrap(
        'changeBalance',
        async (changeBalance, ctx, request, key) => {
          const { announceUserById } = await import('../../server/features/people/users/events.ts')
          await announceUserById(ctx, request.chosenId)
          return changeBalance(ctx, request, key)
        },
      ),
    ],
  }),
  guard('K7', 20, 'the most bytes of a frame', {
    replaced: [
      replace<typeof SocketIoModule>('socket.io', {
        Server: ({ Server }) =>
          class extends Server {
            constructor(...[server, options]: ConstructorParameters<typeof Server>) {
              super(server, { ...options, maxHttpBufferSize: 16_384_000 })
            }
          } as typeof Server,
      }),
    ],
  }),
  guard('L1', 3, 'that an order which the supplier may have is asked about (it is sent again under another reference)', {
    replaced: [
      changeHubnet((supplier) => ({
        async queryStatus(delivery) {
          await supplier.send(underAnotherReference(delivery as never))
          return supplier.queryStatus(delivery)
        },
      })),
    ],
  }),
  guard('L2', 2, 'that an order is sent again under its own reference', {
    replaced: [
      changeHubnet((supplier) => ({
        send: (order) => supplier.send((order as Delivery).status === 'unknown' ? underAnotherReference(order) : order),
      })),
    ],
  }),
  guard('L3', 2, 'that a supplier which cannot prove that it lacks an order is not sent it again', {
    replaced: [
      inModule<typeof RemadataModule>('../../server/integrations/supplier/remadata.ts').wrap(
        'createRemadata',
        (createRemadata, settings) => ({ ...createRemadata(settings), canProveAbsence: true }),
      ),
    ],
  }),
  guard('L4', 6, 'that an unknown outcome stays unknown (it is taken for accepted)', {
    replaced: [
      changeHubnet((supplier) => ({
        async send(order) {
          const outcome = await supplier.send(order)
          return outcome.outcome === 'unknown' ? { outcome: 'accepted', supplierReference: null, detail: outcome.detail } : outcome
        },
      })),
    ],
  }),
  guard('L5', 1, 'that an order is asked about when its process died while it was sent (it is sent again under another reference)', {
    replaced: [
      changeDeliveries((delivery) =>
        delivery.status === 'sending' ? { ...underAnotherReference(delivery), status: 'waiting' } : delivery,
      ),
    ],
  }),
  guard('L6', 12, 'that a decided order is not sent any more', {
    replaced: [
      replace<Deliveries>('../../server/features/orders/orders/deliveries.sql.ts', {
        lockDelivery:
          ({ lockDelivery }) =>
          async (tx, orderId) => {
            const delivery = await lockDelivery(tx, orderId)
            return delivery && { ...delivery, orderStatus: 'pending' }
          },
        cancelUnsent: () => async () => {},
      }),
    ],
  }),
  guard('L6', 24, 'that an order which is being sent is not refunded', {
    replaced: [
      inModule<Deliveries>('../../server/features/orders/orders/deliveries.sql.ts').wrap(
        'lockStanding',
        async (lockStanding, tx, orderId) => {
          const standing = await lockStanding(tx, orderId)
          return standing === 'sending' ? 'rejected' : standing
        },
      ),
    ],
    fromDatabase: async (db) => void (await db.query('drop trigger orders_rejected_knowingly on orders')),
  }),
  guard('L6', 24, 'that an order which the supplier has accepted is not refunded', {
    replaced: [replace<typeof SuppliersModule>('../../shared/suppliers.ts', { needsReason: () => () => false })],
    fromDatabase: async (db) => void (await db.query('drop trigger orders_rejected_knowingly on orders')),
  }),
  guard('L7', 1, 'that a supplier which does not answer is asked again', {
    replaced: [
      inModule<typeof QueryDeliveryStatusModule>('../../server/features/delivery/supplier/query-delivery-status.ts').wrap(
        'queryDeliveryStatus',
        (queryDeliveryStatus, ctx, gateway, job) =>
          queryDeliveryStatus({ ...ctx, jobs: { ...ctx.jobs, enqueue: async () => {} } }, gateway, job),
      ),
    ],
  }),
  guard('L8', 1, "that a refusal because our supplier balance is empty is not the order's", {
    replaced: [
      changeHubnet((supplier) => ({
        async send(order) {
          const outcome = await supplier.send(order)
          return outcome.outcome === 'rejected' ? { ...outcome, cause: 'refused' } : outcome
        },
      })),
    ],
  }),
  guard('L9', 3, 'that messages are jobs of their own (a purchase waits for the message service)', {
    replaced: [
      inModule<typeof PlaceOrdersModule>('../../server/features/orders/purchases/place-orders.ts').wrap(
        'placeOrdersWithSession',
        async (placeOrdersWithSession, ...purchase) => {
          await fetch(`${process.env.SMS_ARKESEL_BASE_URL}/api/v2/sms/send`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'api-key': String(process.env.SMS_ARKESEL_KEY) },
            body: JSON.stringify({ sender: 'Dwadi', message: 'A new order', recipients: ['233241112223'] }),
            signal: AbortSignal.timeout(2_000),
          }).catch(() => null)
          return placeOrdersWithSession(...purchase)
        },
      ),
    ],
  }),
  guard('L10', 300, 'the daily cap of messages, and the digest', {
    replaced: [
      inModule<typeof DayCapsSqlModule>('../../server/platform/day-caps.sql.ts').wrap('countDay', async (countDay, ...day) => ({
        ...(await countDay(...day)),
        allowed: day[4]?.wanted ?? 1,
      })),
      replace<typeof MessagesSqlModule>('../../server/features/messages/sms/messages.sql.ts', {
        countOrderMessages: () => async () => 0,
      }),
    ],
  }),
  guard('L11', 1, 'that an offer is a plain word in a message', {
    replaced: [
      replace<typeof GsmTextModule>('../../server/integrations/sms/gsm-text.ts', {
        plainWord: () => (text) => text,
      }),
    ],
  }),
  guard('L12', 1, 'that a mail which was not accepted is sent again', {
    replaced: [
      inModule<typeof SendPasswordResetsModule>('../../server/features/people/auth/send-password-resets.ts').wrap(
        'sendPasswordResets',
        (sendPasswordResets, ctx, mail) => {
          const send: typeof mail.mailer.send = async (letter) => {
            const sent = await mail.mailer.send(letter)
            return sent.outcome === 'accepted' ? sent : { ...sent, outcome: 'rejected' }
          }
          return sendPasswordResets(ctx, { ...mail, mailer: { ...mail.mailer, send } })
        },
      ),
    ],
  }),
  guard('L13', 2, 'that redirects are not followed', { atStart: followRedirects }),
]
