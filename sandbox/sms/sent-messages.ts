import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { Refusal } from '../refusal.ts'
import { callShop } from '../webhook-sender.ts'
import { countSegments } from './count-segments.ts'
import type { ReportStatus, SmsFaults, SmsService } from './faults.ts'

const KEPT_MESSAGES = 500
const REPORT_TIMEOUT_MS = 10_000

/** A message accepted by a service. */
export type SentMessage = {
  id: string
  service: SmsService
  /** The messages of one call. */
  batch: string
  sender: string
  /** Ten digits. */
  to: string
  /** As the shop wrote the number. */
  recipient: string
  body: string
  at: string
  segments: number
  status: ReportStatus
  callbackUrl: string | null
  /** The shop's reply to the delivery report. */
  reportResult: string | null
}

export const smsSettings = z.object({
  /** The remaining segments, shared by both services. */
  credit: z.int().min(0).max(100_000_000),
  /** The approved sender names; null: any. */
  approvedSenders: z.array(z.string().min(1).max(11)).nullable(),
  /** The delay until a message is delivered and reported; null: only on request. */
  reportsAfterMs: z.int().min(0).max(3_600_000).nullable(),
})
export type SmsSettings = z.output<typeof smsSettings>

export type NewSentMessage = Pick<SentMessage, 'service' | 'batch' | 'sender' | 'recipient' | 'body' | 'callbackUrl'>

export type SentMessages = {
  settings: SmsSettings
  change(changes: Partial<SmsSettings>): SmsSettings
  add(details: NewSentMessage): SentMessage
  find(id: string): SentMessage | undefined
  /** Newest first. */
  list(): SentMessage[]
  /** Sends the delivery report of one message without waiting for the shop. */
  report(id: string, status: ReportStatus): SentMessage
  close(): Promise<void>
}

/** The messages that the services accepted; lost when the process ends. */
export function keepSentMessages(faults: SmsFaults, { now, wanted }: { now: () => Date; wanted: Partial<SmsSettings> }): SentMessages {
  const settings: SmsSettings = { credit: 10_000, approvedSenders: null, reportsAfterMs: 2_000, ...wanted }
  const timers = new Map<string, NodeJS.Timeout>()
  const underWay = new Set<Promise<void>>()
  const closing = new AbortController()
  let messages: SentMessage[] = []

  return {
    settings,
    change: (changes) => Object.assign(settings, changes),
    add(details) {
      const segments = countSegments(details.body)
      const to = nationalOf(details.recipient)
      const id = randomUUID()
      const message: SentMessage = { ...details, id, to, at: now().toISOString(), segments, status: 'SUBMITTED', reportResult: null }
      settings.credit = Math.max(0, settings.credit - segments)
      messages = [message, ...messages].slice(0, KEPT_MESSAGES)
      reportLater(message)
      return message
    },
    find: (id) => messages.find((message) => message.id === id),
    list: () => messages,
    report(id, status) {
      const message = messages.find((one) => one.id === id)
      if (!message) throw new Refusal(404, 'The SMS services know no message with that id.')
      enter(message, status)
      return message
    },
    async close() {
      closing.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(underWay)
    },
  }

  function reportLater(message: SentMessage) {
    const fault = faults.takeForReport(message.service, message.to)
    const afterMs = (fault?.kind === 'say' ? fault.afterMs : undefined) ?? settings.reportsAfterMs
    if (fault?.kind === 'never' || (afterMs === null && fault === null)) return
    const status = fault?.kind === 'say' ? fault.status : 'DELIVERED'
    timers.set(
      message.id,
      setTimeout(() => enter(message, status), afterMs ?? 0),
    )
  }

  function enter(message: SentMessage, status: ReportStatus) {
    clearTimeout(timers.get(message.id))
    timers.delete(message.id)
    message.status = status
    if (message.callbackUrl === null || closing.signal.aborted) return
    if (!URL.canParse(message.callbackUrl)) {
      message.reportResult = 'Invalid URL'
      return
    }
    const url = new URL(message.callbackUrl)
    url.searchParams.set('sms_id', message.id)
    url.searchParams.set('status', status)
    const reporting = callShop(url, {}, REPORT_TIMEOUT_MS, closing.signal).then(({ result }) => {
      message.reportResult = result
    })
    underWay.add(reporting)
    void reporting.finally(() => underWay.delete(reporting))
  }
}

/** Whether a number is Ghanaian, in either form the services accept. */
export function isGhanaNumber(recipient: string): boolean {
  return /^(0|233)[25]\d{8}$/.test(recipient)
}

export function nationalOf(recipient: string): string {
  return recipient.startsWith('233') ? `0${recipient.slice(3)}` : recipient
}
