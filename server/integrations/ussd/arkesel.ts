import { echo, problem, readFields } from './read-fields.ts'
import type { UssdGateway } from './ussd-gateway.ts'

/** Arkesel, as its sample applications have it: `newSession` marks the first request, and requests have no number. */
export const arkesel: UssdGateway = {
  name: 'arkesel',
  read(body) {
    const found = readFields(body, { session: 'sessionID', phone: 'msisdn', text: 'userData' })
    if ('problem' in found) return found
    const { fields, ...call } = found
    if (typeof fields.newSession !== 'boolean') return problem('newSession', 'Say whether the session is new.')
    return { ...call, kind: fields.newSession ? 'first' : 'next', number: null }
  },
  reply: (body, text, goesOn) => ({
    sessionID: echo(body, 'sessionID'),
    userID: echo(body, 'userID'),
    msisdn: echo(body, 'msisdn'),
    message: text,
    continueSession: goesOn,
  }),
}
