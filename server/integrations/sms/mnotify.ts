import { fetchJson } from '../fetch-json.ts'
import { countIn, type SmsOutcome, type SmsSender, toInternational } from './sms-sender.ts'

export type MnotifySettings = { baseUrl: string; apiKey: string; sender: string; timeoutMs: number }

/**
 * mNotify's BMS API, as described by its client libraries (`https://api.mnotify.com`; the key is in the URL, so the URL is
 * never logged). Bad numbers get "success" too: the summary must count one sent and none rejected.
 */
export function createMnotify({ baseUrl, apiKey, sender, timeoutMs }: MnotifySettings): SmsSender {
  let left: number | null = null
  return {
    provider: 'mnotify',
    async send({ to, text }): Promise<SmsOutcome> {
      const answer = await fetchJson(`${baseUrl}/api/sms/quick?key=${encodeURIComponent(apiKey)}`, {
        method: 'POST',
        timeoutMs,
        body: { recipient: [toInternational(to)], sender, message: text, is_schedule: false, schedule_date: '' },
      })
      if (answer.outcome === 'unknown') return { outcome: answer.neverSent ? 'not-taken' : 'unknown', reason: answer.reason }
      const { status, body } = answer
      const reply = (typeof body === 'object' && body !== null ? body : {}) as Reply
      const reason = sentenceOf(reply) ?? `an answer with status ${status}`
      // An unapproved sender name is our problem and may be fixed; a bad number stays bad.
      const isAboutUs = ![400, 422].includes(status) || 'sender' in Object(reply.errors)
      if (status >= 400) return { outcome: isAboutUs ? 'not-taken' : 'rejected', reason }
      if (reply.status === 'error') return { outcome: 'not-taken', reason }
      if (reply.status !== 'success' || String(reply.code) !== '2000') return { outcome: 'unknown', reason }
      const { total_sent: sent, total_rejected: rejected, _id: id, credit_left: credit } = reply.summary ?? {}
      left = countIn(credit)
      if (Number(rejected ?? 0) > 0 || Number(sent ?? 1) < 1) return { outcome: 'rejected', reason: 'the service calls the number invalid' }
      return { outcome: 'accepted', providerId: typeof id === 'string' ? id : null }
    },

    // No client library asks for the balance; every message that is sent reports what is left.
    async balance() {
      const messages = left
      left = null
      return messages === null ? { outcome: 'unknown', reason: 'no message was sent since' } : { outcome: 'known', messages }
    },
  }
}

type Reply = {
  status?: unknown
  code?: unknown
  message?: unknown
  error?: unknown
  errors?: unknown
  summary?: { _id?: unknown; total_sent?: unknown; total_rejected?: unknown; credit_left?: unknown }
}

function sentenceOf({ message, error, errors }: Reply): string | undefined {
  const found = [message, error].find((text): text is string => typeof text === 'string')
  return (found ?? (errors === undefined ? undefined : JSON.stringify(errors)))?.slice(0, 200)
}
