import type * as SocketIoModule from 'socket.io'
import type * as SendPasswordResetsModule from '../../server/features/auth/send-password-resets.ts'
import type * as DeliveriesSqlModule from '../../server/features/orders/deliveries.sql.ts'
import type * as PlaceOrdersModule from '../../server/features/purchases/place-orders.ts'
import type * as MessagesSqlModule from '../../server/features/sms/messages.sql.ts'
import type * as QueryDeliveryStatusModule from '../../server/features/supplier/query-delivery-status.ts'
import type * as ChangeBalanceModule from '../../server/features/wallet/change-balance.ts'
import type * as GsmTextModule from '../../server/integrations/sms/gsm-text.ts'
import type { DataSupplier } from '../../server/integrations/supplier/data-supplier.ts'
import type * as HubnetModule from '../../server/integrations/supplier/hubnet.ts'
import type * as RemadataModule from '../../server/integrations/supplier/remadata.ts'
import type * as DayCapsSqlModule from '../../server/platform/day-caps.sql.ts'
import type * as RealtimeModule from '../../server/platform/realtime.ts'
import type * as SuppliersModule from '../../shared/suppliers.ts'
import { beforeEach, type Guard, type Replacement, replace, replaceInWeb } from './guard.ts'
import { followRedirects } from './shared-guards.ts'

type Realtime = typeof RealtimeModule
type Deliveries = typeof DeliveriesSqlModule
type Delivery = NonNullable<Awaited<ReturnType<Deliveries['selectDelivery']>>>

/** The gateway to Hubnet, changed after it was created. */
const changeHubnet = (change: (supplier: DataSupplier) => Partial<DataSupplier>): Replacement =>
  replace<typeof HubnetModule>('../../server/integrations/supplier/hubnet.ts', {
    createHubnet:
      ({ createHubnet }) =>
      (settings) => {
        const supplier = createHubnet(settings)
        return { ...supplier, ...change(supplier) }
      },
  })

/** The shop reads deliveries changed in this way. */
const changeDeliveries = (change: (delivery: Delivery) => Delivery): Replacement =>
  replace<Deliveries>('../../server/features/orders/deliveries.sql.ts', {
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
  {
    experiment: 'K1',
    runs: 3,
    removed: "that a user's announcements go only to their own room",
    replaced: [
      replace<Realtime>('../../server/platform/realtime.ts', {
        openRealtime:
          ({ openRealtime }) =>
          (options) => {
            const realtime = openRealtime(options)
            return {
              ...realtime,
              announce: (audience, ...what) => realtime.announce(audience === 'admins' ? audience : 'everyone', ...what),
            }
          },
      }),
    ],
  },
  {
    experiment: 'K2',
    runs: 1,
    removed: 'the authentication of sockets',
    replaced: [
      replace<Realtime>('../../server/platform/realtime.ts', {
        openRealtime:
          ({ openRealtime }) =>
          (options) => {
            const anybody = { id: crypto.randomUUID(), isAdmin: false, sessionHash: Buffer.alloc(32) }
            return openRealtime({ ...options, authenticate: async (token) => (await options.authenticate(token)) ?? anybody })
          },
      }),
    ],
  },
  {
    experiment: 'K3',
    runs: 2,
    removed: 'the channel between processes',
    replaced: [
      replace<Realtime>('../../server/platform/realtime.ts', {
        openRealtime:
          ({ openRealtime }) =>
          (options) =>
            openRealtime({ ...options, shared: undefined }),
      }),
    ],
  },
  {
    experiment: 'K4',
    runs: 1,
    removed: 'that a page asks for what it missed when it is online again',
    replaced: [
      replaceInWeb('../../web/lib/query-client.ts', {
        queryClient: ({ queryClient }) => Object.assign(queryClient, { invalidateQueries: async () => {} }),
      }),
      replaceInWeb('../../web/features/users/api.ts', {
        refreshSessionUser: () => async () => {},
      }),
      replaceInWeb('../../web/features/users/shop-debits.ts', {
        refreshShopDebits: () => async () => {},
      }),
    ],
  },
  {
    experiment: 'K5',
    runs: 5,
    removed: 'the version of a balance that is announced',
    fromDatabase: (db) => beforeEach(db, 'update', 'wallets', 'new.version := 1;'),
  },
  {
    experiment: 'K6',
    runs: 2,
    removed: 'that a change is announced only after its commit',
    replaced: [
      replace<typeof ChangeBalanceModule>('../../server/features/wallet/change-balance.ts', {
        changeBalance:
          ({ changeBalance }) =>
          async (ctx, request, key) => {
            const { announceUserById } = await import('../../server/features/users/events.ts')
            await announceUserById(ctx, request.chosenId)
            return changeBalance(ctx, request, key)
          },
      }),
    ],
  },
  {
    experiment: 'K7',
    runs: 20,
    removed: 'the most bytes of a frame',
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
  },
  {
    experiment: 'L1',
    runs: 3,
    removed: 'that an order which the supplier may have is asked about (it is sent again under another reference)',
    replaced: [
      changeHubnet((supplier) => ({
        async ask(delivery) {
          await supplier.send(underAnotherReference(delivery as never))
          return supplier.ask(delivery)
        },
      })),
    ],
  },
  {
    experiment: 'L2',
    runs: 2,
    removed: 'that an order is sent again under its own reference',
    replaced: [
      changeHubnet((supplier) => ({
        send: (order) => supplier.send((order as Delivery).status === 'unknown' ? underAnotherReference(order) : order),
      })),
    ],
  },
  {
    experiment: 'L3',
    runs: 2,
    removed: 'that a supplier which cannot prove that it lacks an order is not sent it again',
    replaced: [
      replace<typeof RemadataModule>('../../server/integrations/supplier/remadata.ts', {
        createRemadata:
          ({ createRemadata }) =>
          (settings) => ({ ...createRemadata(settings), canProveAbsence: true }),
      }),
    ],
  },
  {
    experiment: 'L4',
    runs: 6,
    removed: 'that an unknown outcome stays unknown (it is taken for accepted)',
    replaced: [
      changeHubnet((supplier) => ({
        async send(order) {
          const outcome = await supplier.send(order)
          return outcome.outcome === 'unknown' ? { outcome: 'accepted', supplierReference: null, detail: outcome.detail } : outcome
        },
      })),
    ],
  },
  {
    experiment: 'L5',
    runs: 1,
    removed: 'that an order is asked about when its process died while it was sent (it is sent again under another reference)',
    replaced: [
      changeDeliveries((delivery) =>
        delivery.status === 'sending' ? { ...underAnotherReference(delivery), status: 'waiting' } : delivery,
      ),
    ],
  },
  {
    experiment: 'L6',
    runs: 12,
    removed: 'that a decided order is not sent any more',
    replaced: [
      replace<Deliveries>('../../server/features/orders/deliveries.sql.ts', {
        lockDelivery:
          ({ lockDelivery }) =>
          async (tx, orderId) => {
            const delivery = await lockDelivery(tx, orderId)
            return delivery && { ...delivery, orderStatus: 'pending' }
          },
        cancelUnsent: () => async () => {},
      }),
    ],
  },
  {
    experiment: 'L6',
    runs: 24,
    removed: 'that an order which is being sent is not refunded',
    replaced: [
      replace<Deliveries>('../../server/features/orders/deliveries.sql.ts', {
        lockStanding:
          ({ lockStanding }) =>
          async (tx, orderId) => {
            const standing = await lockStanding(tx, orderId)
            return standing === 'sending' ? 'rejected' : standing
          },
      }),
    ],
    fromDatabase: async (db) => void (await db.query('drop trigger orders_rejected_knowingly on orders')),
  },
  {
    experiment: 'L6',
    runs: 24,
    removed: 'that an order which the supplier has accepted is not refunded',
    replaced: [replace<typeof SuppliersModule>('../../shared/suppliers.ts', { needsReason: () => () => false })],
    fromDatabase: async (db) => void (await db.query('drop trigger orders_rejected_knowingly on orders')),
  },
  {
    experiment: 'L7',
    runs: 1,
    removed: 'that a supplier which does not answer is asked again',
    replaced: [
      replace<typeof QueryDeliveryStatusModule>('../../server/features/supplier/query-delivery-status.ts', {
        queryDeliveryStatus:
          ({ queryDeliveryStatus }) =>
          (ctx, gateway, job) =>
            queryDeliveryStatus({ ...ctx, jobs: { ...ctx.jobs, enqueue: async () => {} } }, gateway, job),
      }),
    ],
  },
  {
    experiment: 'L8',
    runs: 1,
    removed: "that a refusal because our supplier balance is empty is not the order's",
    replaced: [
      changeHubnet((supplier) => ({
        async send(order) {
          const outcome = await supplier.send(order)
          return outcome.outcome === 'rejected' ? { ...outcome, cause: 'refused' } : outcome
        },
      })),
    ],
  },
  {
    experiment: 'L9',
    runs: 3,
    removed: 'that messages are jobs of their own (a purchase waits for the message service)',
    replaced: [
      replace<typeof PlaceOrdersModule>('../../server/features/purchases/place-orders.ts', {
        placeOrdersWithSession:
          ({ placeOrdersWithSession }) =>
          async (...purchase) => {
            await fetch(`${process.env.SMS_ARKESEL_BASE_URL}/api/v2/sms/send`, {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'api-key': String(process.env.SMS_ARKESEL_KEY) },
              body: JSON.stringify({ sender: 'Dwadi', message: 'A new order', recipients: ['233241112223'] }),
              signal: AbortSignal.timeout(2_000),
            }).catch(() => null)
            return placeOrdersWithSession(...purchase)
          },
      }),
    ],
  },
  {
    experiment: 'L10',
    runs: 300,
    removed: 'the daily cap of messages, and the digest',
    replaced: [
      replace<typeof DayCapsSqlModule>('../../server/platform/day-caps.sql.ts', {
        countDay:
          ({ countDay }) =>
          async (...day) => ({ ...(await countDay(...day)), allowed: true }),
      }),
      replace<typeof MessagesSqlModule>('../../server/features/sms/messages.sql.ts', {
        countOrderMessages: () => async () => 0,
      }),
    ],
  },
  {
    experiment: 'L11',
    runs: 1,
    removed: 'that an offer is a plain word in a message',
    replaced: [
      replace<typeof GsmTextModule>('../../server/integrations/sms/gsm-text.ts', {
        plainWord: () => (text) => text,
      }),
    ],
  },
  {
    experiment: 'L12',
    runs: 1,
    removed: 'that a mail which was not accepted is sent again',
    replaced: [
      replace<typeof SendPasswordResetsModule>('../../server/features/auth/send-password-resets.ts', {
        sendPasswordResets:
          ({ sendPasswordResets }) =>
          (ctx, mail) => {
            const send: typeof mail.mailer.send = async (letter) => {
              const sent = await mail.mailer.send(letter)
              return sent.outcome === 'accepted' ? sent : { ...sent, outcome: 'rejected' }
            }
            return sendPasswordResets(ctx, { ...mail, mailer: { ...mail.mailer, send } })
          },
      }),
    ],
  },
  { experiment: 'L13', runs: 2, removed: 'that redirects are not followed', atStart: followRedirects },
]
