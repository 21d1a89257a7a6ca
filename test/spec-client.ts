import { randomInt } from 'node:crypto'
import { io, type Socket } from 'socket.io-client'

/** The records as the specification names their fields; a client reads no others. */
export type Session = { _id: string; username: string; email: string; token: string; userLevel: string; isAdmin: boolean; balance: number }
export type User = Omit<Session, 'token'> & { status: string; totalPurchase: number }
export type Package = { offer: string; priceCustomer: number; priceAgent: number }
export type Product = { _id: string; network: string; image: string; status: string; packages: Package[] }
export type Order = {
  _id: string
  id: string
  network: string
  offer: string
  receiver: string
  totalAmount: number
  reference: string
  user: string
  status: string
  actionTimestamp: string | null
}
export type Recharge = {
  _id: string
  rechargeId: string
  amount: number
  status: string
  createdAt: string
  user: { _id: string; username: string }
}
export type CartItem = { id: number; service: string; phoneNumber: string; offer: string; amount: number; image: string }

export const EVENTS = ['userUpdated', 'noticeUpdated', 'productsUpdated', 'ordersUpdated', 'rechargeUpdated', 'CurrUserUpdated'] as const
export type Heard = { event: (typeof EVENTS)[number]; record: Record<string, unknown> }

/** A failed call, with the text that the client shows. */
class Failure extends Error {
  override name = 'Failure'
}

const MOST_RANDOM = 99_999_999

/**
 * A client that knows the specification alone: calls and fields of section 7, sums of section 9, texts of section 8. It imports nothing of the
 * shop, so that a change which would break such a client fails here. `host` is the base address of the API; `popUp` opens the provider's pop-up.
 */
export function openSpecClient(host: string, popUp: (wanted: PopUpOptions) => Promise<{ reference: string }>) {
  let session: Session | null = null
  let socket: Socket | null = null
  const heard: Heard[] = []

  async function send<Reply>(method: string, path: string, payload?: object, as = session?.token): Promise<Reply> {
    const reply = await fetch(`${host}${path}`, {
      method,
      headers: { ...(payload && { 'content-type': 'application/json' }), ...(as !== undefined && { authorization: `Bearer ${as}` }) },
      ...(payload && { body: JSON.stringify(payload) }),
    })
    const data = (await reply.json().catch(() => null)) as Reply & { message?: string }
    if (!reply.ok) throw new Failure(data?.message ?? `Request failed with status code ${reply.status}`)
    return data
  }
  /** Sent without authorization, as the specification says of these calls. */
  const sendBare = <Reply>(method: string, path: string) => send<Reply>(method, path, undefined, undefined)
  const current = () => session as Session
  const signIn = (user: Session) => {
    session = user
    return user
  }
  const makeOrder = (item: CartItem, reference: string) => ({
    newOrder: {
      id: String(randomInt(MOST_RANDOM)),
      totalAmount: item.amount,
      offer: item.offer,
      receiver: item.phoneNumber,
      network: item.service,
      items: [item],
      date: new Date().toLocaleString('en-GB', { timeZone: 'UTC', hour12: false }).replace(',', ''),
      reference,
      user: current().username,
      status: 'pending',
      actionTimestamp: null,
    },
  })
  const createOrder = async (item: CartItem, reference: string) =>
    (await send<{ order: Order }>('POST', '/order/create', makeOrder(item, reference))).order
  const total = (cart: readonly CartItem[]) => cart.reduce((sum, { amount }) => sum + amount, 0)

  return {
    heard,
    session: current,

    register: async (given: { username: string; email: string; phone: string; password: string }) =>
      signIn(await send('POST', '/user/register', given)),
    login: async (userPhone: string, password: string) => signIn(await send('POST', '/user/login', { userPhone, password })),
    forgetPassword: (email: string) => send<{ message: string }>('POST', '/user/forget-password', { email }),
    resetPassword: (token: string, password: string) => send<{ message: string }>('POST', `/user/reset-password/${token}`, { password }),

    products: () => sendBare<Product[]>('GET', '/product'),
    notice: () => sendBare<{ noticeContent: string; momoPhoneNumber: string; momoAccountName: string }>('GET', '/extra/momo-details'),
    users: () => send<User[]>('GET', '/user'),
    balances: () => send<User[]>('GET', '/user/account-balances'),
    orders: () => send<Order[]>('GET', '/order/allorders'),
    recharges: () => send<Recharge[]>('GET', '/recharge'),

    requestRecharge: (amount: number) => send<{ rechargeId: string }>('POST', '/recharge', { amount }),

    /** Checkout with wallet: debits the wallet, then creates one order per item, each with a reference of its own. */
    async buyFromWallet(cart: readonly CartItem[]): Promise<Order[]> {
      await send<{ balance: number }>('PUT', '/user/balance', { amount: -total(cart), chosenId: current()._id })
      const orders: Order[] = []
      for (const [at, item] of cart.entries()) {
        orders.push(await createOrder(item, at % 2 === 0 ? String(Date.now() + at) : String(randomInt(MOST_RANDOM))))
      }
      return orders
    },
    debitSelf: (amount: number) => send<{ balance: number }>('PUT', '/user/balance', { amount: -amount, chosenId: current()._id }),
    createOrder,

    /** Checkout without wallet: one card payment, then one order per item with the provider's reference. */
    async buyByCard(cart: readonly CartItem[]): Promise<{ reference: string; orders: Order[] }> {
      const { reference } = await this.pay(Math.round(total(cart) * 1.03 * 100))
      const orders: Order[] = []
      for (const item of cart) orders.push(await createOrder(item, reference))
      return { reference, orders }
    },
    pay: (pesewas: number) =>
      popUp({ email: current().email, amount: pesewas, currency: 'GHS', ref: String(Date.now() + randomInt(1_000_000)) }),
    /** The level update that follows a payment of the fee. */
    becomeAgent: async () => (await send<{ user: User }>('PUT', `/user/${current()._id}/level`, { userLevel: 'Agent' })).user,

    /** Asks for a delivery at a data supplier; the specification has the client name its address and headers. */
    proxy: ({ phone, offer, reference }: { phone: string; offer: string; reference: string }) =>
      send<{ data: { status: string } }>('POST', '/proxy', {
        url: 'http://127.0.0.1:1/at-new-transaction',
        body: { phone, volume: Number.parseFloat(offer) * 1000, reference, referrer: phone },
        headers: { token: 'Bearer of-the-client', 'Content-Type': 'application/json' },
      }),

    setLevel: async (id: string, userLevel: string) => (await send<{ user: User }>('PUT', `/user/${id}/level`, { userLevel })).user,
    setStatus: async (id: string, status: string) => (await send<{ user: User }>('PUT', `/user/${id}/status`, { status })).user,
    /** `amount` as the form has it: text, and below zero for a debit. */
    changeBalance: async (chosenId: string, amount: number | string) =>
      (await send<{ balance: number }>('PUT', '/user/balance', { amount, chosenId })).balance,
    decideOrder: async (id: string, status: 'completed' | 'rejected') =>
      (await send<{ order: Pick<Order, 'status' | 'actionTimestamp'> }>('PUT', `/order/update-status/${id}`, { status })).order,
    approveRecharge: async (id: string) => (await send<{ balance: number }>('PUT', `/recharge/${id}/approve`, {})).balance,
    declineRecharge: (id: string) => send<unknown>('PUT', `/recharge/${id}/decline`),
    createProduct: async (product: NewProduct) => (await send<{ product: Product }>('POST', '/product/create', product)).product,
    updateProduct: async (id: string, product: NewProduct) => (await send<{ product: Product }>('PUT', `/product/${id}`, product)).product,
    setProductStatus: async (id: string, status: string) =>
      (await send<{ status: string }>('PUT', `/product/${id}/status`, { status })).status,
    deleteProduct: (id: string) => send<unknown>('DELETE', `/product/${id}`),
    setNotice: (noticeContent: string) => send<unknown>('PUT', '/extra/notice', { noticeContent }),
    setMomoDetails: (momoPhoneNumber: string, momoAccountName: string) =>
      send<unknown>('PUT', '/extra/momo-details', { momoPhoneNumber, momoAccountName }),
    /** As the specification has it: without a token. */
    setNoticeWithoutToken: (noticeContent: string) => send<unknown>('PUT', '/extra/notice', { noticeContent }, ''),

    /** Listens at the base address of the API with the token of the session. */
    async listen(): Promise<void> {
      const channel = io(host, { auth: { token: current().token }, transports: ['websocket'], timeout: 20_000, forceNew: true })
      socket = channel
      for (const event of EVENTS) channel.on(event, (record) => heard.push({ event, record }))
      await new Promise<void>((resolve, reject) => {
        channel.once('connect', resolve)
        channel.once('connect_error', reject)
      })
    },
    signOut() {
      socket?.close()
      socket = null
      session = null
    },
  }
}

export type SpecClient = ReturnType<typeof openSpecClient>
export type PopUpOptions = { email: string; amount: number; currency: 'GHS'; ref: string }
export type NewProduct = {
  network: string
  image: string
  status: string
  packages: { offer: string; priceCustomer: number | string; priceAgent: number | string }[]
}
