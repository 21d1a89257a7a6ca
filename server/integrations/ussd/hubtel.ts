import { echo, problem, readFields } from './read-fields.ts'
import type { UssdGateway } from './ussd-gateway.ts'

const KINDS: Record<string, 'first' | 'next' | 'over'> = { initiation: 'first', response: 'next', release: 'over', timeout: 'over' }

/** Hubtel, by hubtel.readme.io: requests are numbered by `Sequence`, and `Release` says that the customer has hung up. */
export const hubtel: UssdGateway = {
  name: 'hubtel',
  read(body) {
    const found = readFields(body, { session: 'SessionId', phone: 'Mobile', text: 'Message' })
    if ('problem' in found) return found
    const { fields, ...call } = found
    const kind = KINDS[String(fields.Type).toLowerCase()]
    if (!kind) return problem('Type', 'Send Initiation, Response or Release.')
    const number = Number(fields.Sequence)
    if (!Number.isSafeInteger(number) || number < 1) return problem('Sequence', 'Send the number of the request.')
    return { ...call, kind, number }
  },
  reply: (body, text, goesOn) => ({ SessionId: echo(body, 'SessionId'), Type: goesOn ? 'response' : 'release', Message: text }),
}
