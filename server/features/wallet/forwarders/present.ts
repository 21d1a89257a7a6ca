import type { CreditRules, ForwardedMessage, Forwarder } from '../../../../shared/forwarders.ts'
import { toCedis, toPesewas } from '../../../../shared/money.ts'
import type { CreditRulesRow } from '../received-payments/credit-rules.sql.ts'
import type { ForwarderRow, MessageRow } from './forwarders.sql.ts'
import type { MomoWalletRow } from './wallets.sql.ts'

export function presentForwarder(row: ForwarderRow, wallets: readonly MomoWalletRow[], now: Date): Forwarder {
  const { id, name, app, networks, phone, createdAt, createdBy, seenAt, messageAt, problem, battery, silentSince, oldKeyUntil } = row
  const iso = (date: Date | null) => date?.toISOString() ?? null
  const cedisOf = (pesewas: number | null) => (pesewas === null ? null : toCedis(pesewas))
  return {
    _id: id,
    name,
    app,
    networks,
    phone,
    createdAt: createdAt.toISOString(),
    createdBy,
    seenAt: iso(seenAt),
    messageAt: iso(messageAt),
    problem,
    battery,
    silent: silentSince !== null,
    oldKeyUntil: oldKeyUntil !== null && oldKeyUntil > now ? iso(oldKeyUntil) : null,
    wallets: wallets
      .filter(({ forwarderId }) => forwarderId === id)
      .map(({ network, balancePesewas, confirmedAt, waiting, waitingSince, newestPesewas }) => ({
        network,
        balance: cedisOf(balancePesewas),
        confirmedAt: iso(confirmedAt),
        waiting,
        waitingSince: iso(waitingSince),
        newest: cedisOf(newestPesewas),
      })),
  }
}

export function presentRules(row: CreditRulesRow): CreditRules {
  return {
    most: toCedis(row.mostPesewas),
    daily: toCedis(row.dailyPesewas),
    unsigned: toCedis(row.unsignedPesewas),
    claim: toCedis(row.claimPesewas),
    silentMinutes: row.silentMinutes,
  }
}

export function toRules({ most, daily, unsigned, claim, silentMinutes }: CreditRules): CreditRulesRow {
  return {
    mostPesewas: toPesewas(most),
    dailyPesewas: toPesewas(daily),
    unsignedPesewas: toPesewas(unsigned),
    claimPesewas: toPesewas(claim),
    silentMinutes,
  }
}

const SHOWN_DIGITS = 4

export function presentForwarded({ receivedAt, outcome, network, amountPesewas, transactionId, says }: MessageRow): ForwardedMessage {
  return {
    receivedAt: receivedAt.toISOString(),
    outcome,
    network,
    amount: amountPesewas === null ? null : toCedis(amountPesewas),
    transactionId: transactionId && `…${transactionId.slice(-SHOWN_DIGITS)}`,
    says,
  }
}
