import type { AfaRow, AfaState, OwnAfa } from '../../../shared/afa.ts'
import type { AfaDetails } from '../../../shared/afa-rules.ts'
import { type Cell, csvPhone } from '../../../shared/csv.ts'
import { maskPhone } from '../../../shared/phones.ts'
import { openSecret } from '../../platform/seal-secret.ts'
import type { RegistrationRow } from './afa.sql.ts'

function stateOf({ status, consentedAt, sentAt }: RegistrationRow): AfaState {
  if (status === 'completed') return 'registered'
  if (status === 'rejected') return 'refused'
  if (consentedAt === null) return 'needed'
  return sentAt === null ? 'received' : 'sent'
}

/** Null before they were given and once they are erased. */
export function openDetails({ details }: Pick<RegistrationRow, 'details'>, secretsKey: string | null): AfaDetails | null {
  return details && (JSON.parse(openSecret(details, secretsKey)) as AfaDetails)
}

function mask(row: RegistrationRow, secretsKey: string | null) {
  const details = openDetails(row, secretsKey)
  return {
    fullName: details?.fullName.replace(/(\p{L})[^\s]*/gu, '$1…') ?? null,
    phone: details && maskPhone(details.phone),
    ghanaCard: details && `${details.ghanaCard.slice(0, 4)}•••••${details.ghanaCard.slice(-6)}`,
  }
}

export function presentOwnAfa(row: RegistrationRow, { secretsKey, keepDays }: { secretsKey: string | null; keepDays: number }): OwnAfa {
  const { fullName, ghanaCard } = mask(row, secretsKey)
  return { state: stateOf(row), fullName, ghanaCard, keepDays, refusal: row.refundReason }
}

export function presentAfaRow(row: RegistrationRow, secretsKey: string | null): AfaRow {
  return {
    orderId: row.orderId,
    number: String(row.seq),
    buyer: row.buyer,
    state: stateOf(row),
    ...mask(row, secretsKey),
    orderedAt: row.orderedAt.toISOString(),
    givenAt: row.consentedAt?.toISOString() ?? null,
    batch: row.batch,
    erasedAt: row.erasedAt?.toISOString() ?? null,
  }
}

export const AFA_HEADINGS = ['Order', 'Full name', 'Phone', 'Ghana Card', 'Date of birth', 'Region', 'Town', 'Occupation']

export function afaCells(row: RegistrationRow, secretsKey: string | null): Cell[] {
  const { fullName, phone, ghanaCard, birthDate, region, town, occupation } = openDetails(row, secretsKey) as AfaDetails
  return [row.seq, fullName, csvPhone(phone), ghanaCard, birthDate, region, town, occupation]
}
