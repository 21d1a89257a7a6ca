import { fetchJson } from '../fetch-json.ts'
import { countIn, type SmsOutcome, type SmsSender, toInternational } from './sms-sender.ts'

export type ArkeselSettings = { baseUrl: string; apiKey: string; sender: string; timeoutMs: number }

/** Final rejections of the message itself. Other errors concern our account (key, balance, sender name) and may be fixed. */
const FOR_GOOD = [400, 422]

/**
 * Arkesel's API v2, as described by its client libraries (`https://sms.arkesel.com`, header `api-key`). A "success" reply
 * that lists only "invalid numbers" means that nothing was sent.
 */
export function createArkesel({ baseUrl, apiKey, sender, timeoutMs }: ArkeselSettings): SmsSender {
  return {
    provider: 'arkesel',
    async send({ to, text }): Promise<SmsOutcome> {
      const answer = await fetchJson(`${baseUrl}/api/v2/sms/send`, {
        method: 'POST',
        headers: { 'api-key': apiKey },
        timeoutMs,
        body: { sender, message: text, recipients: [toInternational(to)] },
      })
      if (answer.outcome === 'unknown') return { outcome: answer.neverSent ? 'not-taken' : 'unknown', reason: answer.reason }
      const { status, body } = answer
      const reply = (typeof body === 'object' && body !== null ? body : {}) as { status?: unknown; message?: unknown; data?: unknown }
      const reason = typeof reply.message === 'string' ? reply.message.slice(0, 200) : `an answer with status ${status}`
      if (status >= 400) return { outcome: FOR_GOOD.includes(status) ? 'rejected' : 'not-taken', reason }
      if (reply.status !== 'success') return reply.status === 'error' ? { outcome: 'not-taken', reason } : { outcome: 'unknown', reason }
      if (!Array.isArray(reply.data)) return { outcome: 'unknown', reason: 'a success that names no message' }
      const sent = reply.data.find((entry): entry is { recipient: string; id?: unknown } => typeof entry?.recipient === 'string')
      if (!sent) return { outcome: 'rejected', reason: 'the service calls the number invalid' }
      return { outcome: 'accepted', providerId: sent.id === undefined ? null : String(sent.id) }
    },

    async balance() {
      const answer = await fetchJson(`${baseUrl}/api/v2/clients/balance-details`, { headers: { 'api-key': apiKey }, timeoutMs })
      if (answer.outcome === 'unknown') return { outcome: 'unknown', reason: answer.reason }
      const messages = countIn((answer.body as { data?: { sms_balance?: unknown } } | null)?.data?.sms_balance)
      if (answer.status >= 300 || messages === null) return { outcome: 'unknown', reason: `an answer with status ${answer.status}` }
      return { outcome: 'known', messages }
    },
  }
}
