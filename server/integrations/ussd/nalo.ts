import { echo, problem, readFields } from './read-fields.ts'
import type { UssdGateway } from './ussd-gateway.ts'

/** Nalo: MSGTYPE is true for a first request, and in the reply if the session goes on. It allows 120 characters. */
export const nalo: UssdGateway = {
  name: 'nalo',
  read(body) {
    const found = readFields(body, { session: 'SESSIONID', phone: 'MSISDN', text: 'USERDATA' })
    if ('problem' in found) return found
    const { fields, ...call } = found
    if (typeof fields.MSGTYPE !== 'boolean') return problem('MSGTYPE', 'Say whether the session is new.')
    return { ...call, kind: fields.MSGTYPE ? 'first' : 'next', number: null }
  },
  reply: (body, text, goesOn) => ({ USERID: echo(body, 'USERID'), MSISDN: echo(body, 'MSISDN'), MSG: text, MSGTYPE: goesOn }),
}
