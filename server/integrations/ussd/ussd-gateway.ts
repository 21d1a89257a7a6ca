import type { UssdGatewayName } from '../../../shared/ussd-rules.ts'

/** One call of a gateway in our words. `number` counts the requests of a session from 1, where the gateway does. */
export type UssdCall = {
  session: string
  /** Ten local digits. */
  phone: string
  text: string
  kind: 'first' | 'next' | 'over'
  number: number | null
}

/** A field that is missing or wrong. */
export type UssdProblem = { path: string; message: string }

export type UssdGateway = {
  name: UssdGatewayName
  read: (body: unknown) => UssdCall | { problem: UssdProblem }
  /** The reply to the call with this body: the text, and whether the customer can answer it. */
  reply: (body: unknown, text: string, goesOn: boolean) => Record<string, string | boolean>
}
