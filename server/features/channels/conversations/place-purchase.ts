import { formatPesewas } from '../../../../shared/money.ts'
import type { Actor } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { AppError, InsufficientBalance, Invalid, KeyReused, PinLocked } from '../../../platform/errors.ts'
import type { SecretsKey } from '../../../platform/seal-secret.ts'
import { ChannelOff, OverChannelLimit, placeChannelOrders } from '../../orders/purchases/place-orders.ts'
import { checkPin } from '../../people/transaction-pin/check-pin.ts'
import { createPinProof } from '../../people/transaction-pin/create-pin-proof.ts'
import { type Customer, selectBought } from './customers.sql.ts'
import {
  askOnTheWay,
  type Buying,
  boughtWords,
  clientIdOf,
  describe,
  endState,
  type Move,
  repeatState,
  type State,
  showBought,
  showConfirm,
  showMove,
  type World,
} from './take-step.ts'

/** `lockOwner` begins a transaction for the customer; `confirm`, if there is one, notes that the PIN was given from this phone. */
export type Purchasing = {
  onByDefault: boolean
  secretsKey: SecretsKey | null
  lockOwner: (tx: Tx) => Promise<unknown>
  confirm?: ((tx: Tx) => Promise<unknown>) | undefined
  onOrders: () => void
}

/** Buys with the PIN that was given, and says what came of it. However often it is called for one `purchaseId`, it buys once. */
export async function placePurchase(
  world: World,
  { state, buying, pin }: { state: State; buying: Buying; pin: string },
  deps: Purchasing,
): Promise<State> {
  const { ctx, customer, channel } = world
  if (!customer) return endState('Nothing was bought: this number has no account.')
  const clientId = clientIdOf(channel.name, buying)
  const { network, offer, receiver, productId, pricePesewas } = buying
  const line = { product: productId, network, offer, receiver, expectedPricePesewas: pricePesewas, clientId }
  try {
    const { proof } = await createPinProof(ctx, deps.secretsKey, {
      userId: customer.id,
      pin,
      lockOwner: async (tx) => {
        await deps.lockOwner(tx)
        await deps.confirm?.(tx)
      },
    })
    const purchase = await placeChannelOrders(
      { ...ctx, actor: asActor(customer) },
      { name: channel.name, onByDefault: deps.onByDefault },
      { key: clientId, lines: [line], pathOf: () => 'items', pinProof: proof, askAt: buying.again ? undefined : () => 'items' },
    )
    deps.onOrders()
    const [order] = purchase.orders
    const left = `Wallet: GHS ${formatPesewas(purchase.balancePesewas)}.`
    return showBought(world, [`Thank you! Order ${order?.seq}: ${describe(buying)}.`, left, 'Usually 5 minutes to 2 hours.'], buying)
  } catch (error) {
    return explain(world, state, buying, error)
  }
}

/** Checks the PIN and then shows what it was asked for. */
export async function openWithPin(
  world: World,
  { state, goesTo, pin }: { state: State; goesTo: Move; pin: string },
  deps: Purchasing,
): Promise<State> {
  const { ctx, customer } = world
  if (!customer) return showMove(world, { go: 'menu' })
  try {
    await checkPin(ctx, deps.secretsKey, { userId: customer.id, pin })
    await transaction(ctx.db, async (tx) => {
      await deps.lockOwner(tx)
      await deps.confirm?.(tx)
    })
    return await showMove({ ...world, customer: { ...customer, isConfirmed: true } }, goesTo)
  } catch (error) {
    return explain(world, state, null, error)
  }
}

async function explain(world: World, state: State, buying: Buying | null, error: unknown): Promise<State> {
  // Whatever is wrong now, such as a PIN that is locked: it may have been bought before, by a process that died.
  if (error instanceof AppError && error.status < 500 && buying && world.customer) {
    const seq = await selectBought(world.ctx.db, world.customer.id, clientIdOf(world.channel.name, buying))
    if (seq !== null) return endState(boughtWords(seq, buying), buying)
  }
  if (error instanceof Invalid) return repeatState(world, state, error.message)
  if (error instanceof PinLocked)
    return endState('Wrong PIN too often, so it is locked for a while. Nothing was bought. You can choose a new one on our site.')
  if (error instanceof KeyReused) return endState('You have bought this already. Choose Track to see it.')
  if (error instanceof ChannelOff) return endState('Buying here is switched off just now. Nothing was bought.')
  if (error instanceof OverChannelLimit) return endState(limitWords(world, error))
  if (error instanceof InsufficientBalance) return endState(`Your wallet has too little. Nothing was bought. Top up at ${world.address}`)
  // Another price, or nothing on sale any more: the screen before the PIN says which.
  if (error instanceof AppError && buying && (error.code === 'PRICE_CHANGED' || error.code === 'NOT_AVAILABLE'))
    return showConfirm(world, buying)
  // It was bought in the moment between the question and the PIN.
  if (error instanceof AppError && buying && error.code === 'ON_THE_WAY')
    return (await askOnTheWay(world, buying)) ?? showConfirm(world, buying)
  if (error instanceof AppError && error.status < 500)
    return endState(`${error.message} Nothing was bought.`.replace('Nothing was charged. Nothing', 'Nothing'))
  throw error
}

function limitWords({ address }: World, { isOfDay, mostPesewas }: OverChannelLimit): string {
  const most = `GHS ${formatPesewas(mostPesewas)}`
  const limit = isOfDay ? `You can still buy for ${most} here today.` : `Here you can buy for up to ${most}.`
  return `${limit} Nothing was bought. For more, go to ${address}`
}

/** A purchase asks for no session: the PIN's proof stands for it. */
function asActor({ id, username, email, phone, level, status, createdAt }: Customer): Actor {
  return { id, username, email, phone, level, status, roles: [], createdAt, sessionHash: Buffer.alloc(0) }
}
