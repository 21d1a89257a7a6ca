import { isMobilePhone, normalisePhone } from '../../../shared/phones.ts'
import type { UssdProblem } from './ussd-gateway.ts'

const MOST_SESSION = 100
const MOST_TEXT = 300

/** The fields that all gateways send, each under its own name. */
export function readFields(
  body: unknown,
  names: { session: string; phone: string; text: string },
): { session: string; phone: string; text: string; fields: Record<string, unknown> } | { problem: UssdProblem } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return problem('', 'Send a JSON object.')
  const fields = body as Record<string, unknown>
  const session = asText(fields[names.session])
  if (session === null || session === '' || session.length > MOST_SESSION) return problem(names.session, 'Send the name of the session.')
  const phone = normalisePhone(asText(fields[names.phone]) ?? '')
  if (!isMobilePhone(phone)) return problem(names.phone, 'Send the caller’s mobile number.')
  const text = asText(fields[names.text])
  if (text === null || text.length > MOST_TEXT) return problem(names.text, 'Send what was typed.')
  return { session, phone, text, fields }
}

export function problem(path: string, message: string): { problem: UssdProblem } {
  return { problem: { path, message } }
}

/** Gateways send some numbers as numbers. */
function asText(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : null
}

/** A field as it came, for the reply. */
export function echo(body: unknown, name: string): string {
  return asText((body as Record<string, unknown> | null)?.[name]) ?? ''
}
