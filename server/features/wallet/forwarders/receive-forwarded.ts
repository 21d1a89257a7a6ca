import { createHash } from 'node:crypto'
import { WALLET_NETWORKS, type WalletNetwork } from '../../../../shared/forwarders.ts'
import type { MessageFormat } from '../../../../shared/message-formats.ts'
import { addressKey } from '../../../platform/address-key.ts'
import type { Ctx } from '../../../platform/context.ts'
import { type Tx, transaction } from '../../../platform/db.ts'
import { Invalid, Unauthenticated } from '../../../platform/errors.ts'
import type { RateLimiter } from '../../../platform/rate-limiter.ts'
import { openSecret, SecretClosed, type SecretsKey } from '../../../platform/seal-secret.ts'
import { readFormats } from '../../messages/message-formats/choose-formats.ts'
import { type Formats, parseMessage, type ReadMessage, sendersOf } from '../../messages/message-formats/parse-message.ts'
import { selectByTransaction } from '../received-payments/received-payments.sql.ts'
import { recordLocked, toMovement } from '../received-payments/record-payments.ts'
import {
  type ForwarderRow,
  hasMessage,
  insertMessage,
  lockForwarder,
  type MessageOutcome,
  selectKeys,
  updateProblem,
  updateSeen,
} from './forwarders.sql.ts'
import { checkProof, type Forwarded, type RawRequest, readForwarded } from './read-forwarded.ts'
import { noteFork, settleBalances } from './settle-balances.ts'
import { insertMovement } from './wallets.sql.ts'

/** `formats` are those that are set where the shop runs. */
export type Receiving = { limiter: RateLimiter; secretsKey: SecretsKey | null; formats: readonly MessageFormat[]; wake: () => void }
export type Received = MessageOutcome | 'repeated' | 'ignored' | 'heartbeat'

/** A rush of messages after a day without network, and then one a second. */
const OF_PHONE = { size: 600, everyMs: 1_000 }
/** Guesses of a key. Many phones share a mobile operator's address, and only wrong calls count. */
const WRONG_AT_ONE_ADDRESS = { size: 60, everyMs: 30_000 }

/**
 * Takes what a phone of the shop sends on. Only messages under a network's own name are read, and each once; of others nothing is kept.
 * A payment is credited afterwards (`credit-certain.ts`), if its balance is proven. Sent again, it changes nothing.
 * @throws Unauthenticated without the right key or signature, TooManyAttempts, Invalid
 */
export async function receiveForwarded(ctx: Ctx, deps: Receiving, id: string, request: RawRequest): Promise<Received> {
  await proveCaller(ctx, deps, id, request)
  await deps.limiter.take([{ name: `messages of phone ${id}`, ...OF_PHONE }])
  const forwarded = await readOrNote(ctx, id, request)
  const { battery } = forwarded
  const formats = await readFormats(ctx.db, deps.formats)
  const known = forwarded.kind === 'message' ? networksOf(forwarded.sender, formats) : []
  if (forwarded.kind === 'heartbeat' || known.length === 0) {
    await updateSeen(ctx.db, id, { now: ctx.now, battery })
    return forwarded.kind === 'heartbeat' ? 'heartbeat' : 'ignored'
  }
  const received = await transaction(ctx.db, async (tx) => {
    const forwarder = await lockForwarder(tx, id)
    if (!forwarder) throw wrongKey()
    await updateSeen(tx, id, { now: ctx.now, isMessage: true, battery })
    const network = known.find((one) => forwarder.networks.includes(one))
    if (network === undefined) return 'ignored'
    if (await hasMessage(tx, id, forwarded.keyHash)) return 'repeated'
    return recordForwarded(tx, ctx, { forwarder, network, forwarded, formats })
  })
  if (received === 'payment' || received === 'not-counted') deps.wake()
  return received
}

async function proveCaller(ctx: Ctx, { limiter, secretsKey }: Receiving, id: string, request: RawRequest) {
  const keys = await selectKeys(ctx.db, id, ctx.now)
  const signs = keys?.app === 'sms-gateway'
  const sealed = keys ? [keys.key, keys.oldKey].filter((key) => key !== null) : []
  const proofs = openAll(ctx, sealed, secretsKey).map((key) => checkProof(request, { key, signs, now: ctx.now }))
  if (proofs.some(({ proven }) => proven)) return
  await limiter.take([{ name: `wrong keys of phones from ${addressKey(ctx.ip ?? '')}`, ...WRONG_AT_ONE_ADDRESS }])
  const off = proofs.find(({ clockOffMs }) => clockOffMs !== null)?.clockOffMs
  if (off !== undefined && off !== null) {
    const minutes = Math.round(Math.abs(off) / 60_000)
    const problem = `The phone’s clock is ${minutes} minutes ${off > 0 ? 'ahead' : 'behind'}. Set it to network time.`
    await updateProblem(ctx.db, id, problem)
  }
  throw wrongKey()
}

/** A key that SECRETS_KEY no longer opens proves nobody: the owner gives the phone a new one. */
function openAll(ctx: Ctx, sealed: readonly Buffer[], secretsKey: SecretsKey | null): string[] {
  return sealed.flatMap((key) => {
    try {
      return [openSecret(key, secretsKey)]
    } catch (error) {
      if (!(error instanceof SecretClosed)) throw error
      ctx.log.error({ err: error }, 'a phone that forwards messages can not be recognised')
      return []
    }
  })
}

function wrongKey(): Unauthenticated {
  return new Unauthenticated('The key or the signature is not right.')
}

/** What a call with the right key says; that it says nothing readable is shown to the owner. */
async function readOrNote(ctx: Ctx, id: string, request: RawRequest): Promise<Forwarded> {
  try {
    return readForwarded(request)
  } catch (error) {
    if (error instanceof Invalid) {
      await updateSeen(ctx.db, id, {
        now: ctx.now,
        problem: 'The app sends something that we can’t read. Compare its settings with the guide.',
      })
    }
    throw error
  }
}

/** The networks that send under this name; none for a person's number and for everybody else. */
function networksOf(sender: string, formats: Formats): WalletNetwork[] {
  const name = sender.toLowerCase()
  return WALLET_NETWORKS.filter((network) => sendersOf(formats, network).some((id) => id.toLowerCase() === name))
}

type Message = Extract<Forwarded, { kind: 'message' }>
type Place = { forwarder: ForwarderRow; network: WalletNetwork; forwarded: Message; formats: Formats }

async function recordForwarded(tx: Tx, ctx: Ctx, { forwarder, network, forwarded, formats }: Place): Promise<MessageOutcome> {
  const { text, sender, at, keyHash } = forwarded
  const item = parseMessage({ text, sender, at }, formats)
  const outcome = await recordRead(tx, ctx, forwarder, item, forwarder.createdById)
  await insertMessage(tx, forwarder.id, keyHash, {
    receivedAt: ctx.now,
    outcome,
    network,
    amountPesewas: item.amountPesewas,
    transactionId: item.transactionId,
    says: item.kind === 'credit' ? '' : item.says,
  })
  return outcome
}

/**
 * Keeps a payment, and the change of balance that the message speaks of, and follows the wallet's balance from there. `by` has read it
 * in. Part of the caller's transaction, which has the phone locked.
 */
export async function recordRead(tx: Tx, ctx: Ctx, forwarder: ForwarderRow, item: ReadMessage, by: string): Promise<MessageOutcome> {
  const source = 'phone' as const
  const reader = { source, by, adminId: null, forwarderId: forwarder.id }
  const recorded = await recordLocked(tx, ctx, [item], reader)
  const isCredit = item.kind === 'credit'
  const [stored] = isCredit ? (await selectByTransaction(tx, [item.transactionId])).filter((one) => one.network === item.network) : []
  const network = WALLET_NETWORKS.find((one) => one === item.network)
  for (const { balancePesewas, changePesewas } of toMovement(item)) {
    if (!network || !forwarder.networks.includes(network)) continue
    const openingPesewas = balancePesewas - changePesewas
    const isNew = await insertMovement(tx, {
      forwarderId: forwarder.id,
      network,
      textHash: createHash('sha256').update(item.raw.replace(/\s+/g, ' ')).digest(),
      openingPesewas,
      closingPesewas: balancePesewas,
      paymentId: stored?.id ?? null,
      facts: isCredit ? { ...item, source } : null,
      now: ctx.now,
    })
    if (!isNew) continue
    await noteFork(tx, ctx, forwarder, { network, openingPesewas })
    await settleBalances(tx, ctx, forwarder, network)
  }
  if (!isCredit) return item.kind === 'fake' ? 'fake' : 'not-counted'
  return recorded.fresh > 0 ? 'payment' : 'known'
}
