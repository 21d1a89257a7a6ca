import type { AfaRow, AfaState, OwnAfa } from '../../../../shared/afa.ts'
import type { AfaDetails } from '../../../../shared/afa-rules.ts'
import { type Cell, csvPhone } from '../../../../shared/csv.ts'
import { hintPhone } from '../../../../shared/phones.ts'
import { AppError } from '../../../platform/errors.ts'
import { openSecret, type SecretsKey } from '../../../platform/seal-secret.ts'
import type { RegistrationRow } from './afa.sql.ts'

function stateOf({ status, consentedAt, sentAt }: RegistrationRow): AfaState {
  if (status === 'completed') return 'registered'
  if (status === 'rejected') return 'refused'
  if (consentedAt === null) return 'needed'
  return sentAt === null ? 'received' : 'sent'
}

/**
 * Null before they were given and once they are erased.
 * @throws AppError (CONFLICT) when they were encrypted with a key that is lost.
 */
export function openDetails({ details, seq }: Pick<RegistrationRow, 'details' | 'seq'>, secretsKey: SecretsKey | null): AfaDetails | null {
  if (!details) return null
  try {
    return JSON.parse(openSecret(details, secretsKey)) as AfaDetails
  } catch {
    throw new AppError('CONFLICT', `The details of order ${seq} were encrypted with another SECRETS_KEY. Ask the buyer to give them again.`)
  }
}

function mask(row: RegistrationRow, secretsKey: SecretsKey | null) {
  const details = openIfPossible(row, secretsKey)
  return {
    fullName: details?.fullName.replace(/(\p{L})[^\s]*/gu, '$1…') ?? null,
    phone: details && hintPhone(details.phone),
    ghanaCard: details && `${details.ghanaCard.slice(0, 4)}•••••${details.ghanaCard.slice(-6)}`,
  }
}

/** One that cannot be read must not keep the others from being seen. */
export function openIfPossible(row: RegistrationRow, secretsKey: SecretsKey | null): AfaDetails | null {
  try {
    return openDetails(row, secretsKey)
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

export function presentOwnAfa(row: RegistrationRow, { secretsKey, keepDays }: { secretsKey: SecretsKey | null; keepDays: number }): OwnAfa {
  const { fullName, ghanaCard } = mask(row, secretsKey)
  return { state: stateOf(row), fullName, ghanaCard, keepDays, refusal: row.refundReason }
}

export function presentAfaRow(row: RegistrationRow, secretsKey: SecretsKey | null): AfaRow {
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

export function afaCells(row: RegistrationRow, secretsKey: SecretsKey | null): Cell[] {
  const { fullName, phone, ghanaCard, birthDate, region, town, occupation } = openDetails(row, secretsKey) as AfaDetails
  return [row.seq, fullName, csvPhone(phone), ghanaCard, birthDate, region, town, occupation]
}
