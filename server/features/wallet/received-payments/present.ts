import type { Claim } from '../../../../shared/claims.ts'
import { toCedis } from '../../../../shared/money.ts'
import type {
  ListedPayment,
  Match,
  Matches,
  NotCountedMessage,
  QuestionedPayment,
  ReadReply,
  ReceivedPayment,
} from '../../../../shared/received-payments.ts'
import { DOUBTS, type Uncounted } from '../../messages/message-formats/parse-message.ts'
import type { ClaimRow } from './claims.sql.ts'
import type { PaymentMatchRow } from './queries.ts'
import { type ListedRow, QUESTIONS, type QuestionedRow, type ReceivedPaymentRow, type WaitingRequests } from './received-payments.sql.ts'
import type { Reading } from './record-payments.ts'

const MOST_SHOWN = 160

function presentPayment(row: ReceivedPaymentRow): ReceivedPayment {
  return {
    _id: row.id,
    network: row.network,
    transactionId: row.transactionId,
    amount: toCedis(row.amountPesewas),
    payerName: row.payerName,
    payerPhone: row.payerPhone ?? row.typedPhone,
    reference: row.reference,
    sentAt: row.sentAt?.toISOString() ?? null,
    receivedAt: row.receivedAt.toISOString(),
    receivedBy: row.receivedBy,
    raw: row.raw,
  }
}

export function presentListed(row: ListedRow): ListedPayment {
  const { creditedTo, creditedFor, creditedAt, creditedBy } = row
  return {
    ...presentPayment(row),
    status: row.status,
    credit:
      creditedTo && creditedAt
        ? { username: creditedTo, rechargeId: creditedFor, at: creditedAt.toISOString(), by: creditedBy ?? 'the shop itself' }
        : null,
  }
}

/** Matches in the groups that the screen shows; `questioned` are credited payments. */
export function presentMatches(rows: readonly PaymentMatchRow[], questioned: readonly QuestionedRow[], waiting: WaitingRequests): Matches {
  const groups: Pick<Matches, 'certain' | 'doubtful' | 'unmatched' | 'kept'> = { certain: [], doubtful: [], unmatched: [], kept: [] }
  for (const row of rows) groups[row.payment.keptAt === null || row.state === 'certain' ? row.state : 'kept'].push(presentMatch(row))
  return {
    ...groups,
    questioned: questioned.map(presentQuestioned),
    requests: { count: waiting.count, amount: toCedis(waiting.pesewas), oldestAt: waiting.oldest?.toISOString() ?? null },
  }
}

function presentMatch({ payment, request, agrees, reasons, does, claims }: PaymentMatchRow): Match {
  return {
    payment: presentPayment(payment),
    request: request && {
      _id: request.id,
      rechargeId: request.rechargeId,
      amount: toCedis(request.amountPesewas),
      status: request.status,
      createdAt: request.createdAt.toISOString(),
      user: { _id: request.userId, username: request.username, phone: request.phone },
    },
    agrees,
    reasons,
    does,
    claims: claims.map(({ userId, username, phone, claimedAt }) => ({
      user: { _id: userId, username, phone },
      at: claimedAt.toISOString(),
    })),
  }
}

function presentQuestioned(row: QuestionedRow): QuestionedPayment {
  return {
    payment: presentPayment(row),
    username: row.username,
    creditedAt: row.creditedAt.toISOString(),
    reason: DOUBTS[QUESTIONS.find((doubt) => row.doubts.includes(doubt)) ?? 'reversal'],
  }
}

export function presentReading({ notCounted, ...counts }: Reading): ReadReply {
  return { ...counts, notCounted: notCounted.map(presentUncounted) }
}

/** As their claimant sees it. That a payment has come and waits for a person is not said: it would tell which ids exist. */
export function presentClaim(
  { id, transactionId, createdAt, expiresAt, creditedTo, creditedPesewas }: ClaimRow,
  userId: string,
  now: Date,
): Claim {
  const isCredited = creditedTo === userId && creditedPesewas !== null
  const state = isCredited ? 'credited' : creditedTo !== null ? 'taken' : expiresAt <= now ? 'expired' : 'checking'
  return { _id: id, transactionId, createdAt: createdAt.toISOString(), state, amount: isCredited ? toCedis(creditedPesewas) : null }
}

function presentUncounted({ kind, amountPesewas, transactionId, raw, says }: Uncounted): NotCountedMessage {
  return {
    kind,
    amount: amountPesewas === null ? null : toCedis(amountPesewas),
    transactionId,
    text: raw.replace(/\s+/g, ' ').slice(0, MOST_SHOWN),
    says,
  }
}
