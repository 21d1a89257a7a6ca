import { createHmac, randomUUID } from 'node:crypto'

/** What an app on the phone posts for one SMS. */
export type Post = { body: string; headers: Record<string, string> }
export type Sms = { sender: string; text: string; at: Date; id?: string }

/** As SMS Gateway for Android sends a received SMS, signed with its key at `now`. */
export function asSmsGateway({ sender, text, at, id = randomUUID() }: Sms, key: string, now: Date): Post {
  const body = JSON.stringify({
    deviceId: 'ffffffffceb0b1db0000018e937c815b',
    event: 'sms:received',
    id,
    payload: {
      messageId: 'abc123',
      message: text,
      sender,
      recipient: null,
      simNumber: 1,
      receivedAt: at.toISOString().replace('Z', '+00:00'),
    },
    webhookId: 'LreFUt-Z3sSq0JufY9uWB',
  })
  return { body, headers: { 'content-type': 'application/json', ...signatureOf(body, key, now) } }
}

/** The signature of SMS Gateway for Android: over the raw body and then the time in seconds. */
export function signatureOf(body: string, key: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  return { 'x-timestamp': timestamp, 'x-signature': createHmac('sha256', key).update(body).update(timestamp).digest('hex') }
}

/** As Incoming SMS to URL sends it: JSON, with the key in a header of its own. */
export function asSmsToUrl({ sender, text, at }: Sms, key: string): Post {
  const body = JSON.stringify({ from: sender, text, sentStamp: at.getTime(), receivedStamp: at.getTime() + 1_000, sim: 'sim1' })
  return { body, headers: { 'content-type': 'application/json; charset=utf-8', 'x-forwarder-key': key } }
}

/** As SmsForwarder sends it: a form, whose own sign covers no text, with the key in a header of its own. */
export function asSmsForwarder({ sender, text, at }: Sms, key: string): Post {
  const timestamp = String(at.getTime())
  const sign = createHmac('sha256', key).update(`${timestamp}\n${key}`).digest('base64')
  const body = new URLSearchParams({ from: sender, content: text, timestamp, sign }).toString()
  return { body, headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarder-key': key } }
}
