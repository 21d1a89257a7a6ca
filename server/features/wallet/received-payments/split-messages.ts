import { SENDER_IDS } from '../../../../shared/message-formats.ts'
import { dateFormOf } from '../../../../shared/readers/read-column.ts'
import { type DateHint, readDate } from '../../../../shared/readers/read-date.ts'
import { allIn } from '../../../../shared/readers/reading.ts'
import { attribute, tagsOf } from '../../../../shared/readers/sheets.ts'
import type { Message } from '../../messages/message-formats/parse-message.ts'

/** How messages of the networks begin. */
const OPENERS = [
  'Payment received for ?GHS',
  'Payment (?:made )?for ?GHS',
  'Cash In (?:received )?for\\b',
  'Cash Out made for',
  'Your payment of ?GHS',
  'You have (?:received|transferred|paid|exceeded)\\b',
  "Y['’]ello\\b",
  'Hello, ',
  '\\d{16} Confirmed\\.',
  'Failed\\. Your',
  'Transaction ID: ?\\d+ confirmed from',
  'Dear customer',
  'Enter code',
  'Reversal of',
  'Your (?:[a-z]+ ){0,4}balance',
  'Your (?:[a-z]+ ){0,5}(?:has been|was) reversed',
].join('|')
const AT_LINE_START = new RegExp(`^(?:(?:fwd?|fw|forwarded(?: message)?) ?: ?|[>"“'‘«*_]+ ?)*(?:${OPENERS})`, 'i')
/** Only what begins a message and nothing else, for messages that were pasted as one line. */
const WITHIN_LINE = /(?<=\s)(?=Payment (?:received|made) for ?GHS|Cash Out made for|Cash In received for ?GHS|\d{16} Confirmed\.)/gi

/** "[22/11/2026, 14:05] Ama: " and "22/11/2026, 14:05 - Ama: ", with seconds or am and pm. Who forwards it is not who sent it. */
const WHATSAPP = /^\[?(\d{1,2}([/.-])\d{1,2}\2\d{2,4},? \d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\.?)?)(?:\]| -) (?:[^:\n]{1,40}: )?/i
const ID = /\bID:? ?\d{10,16}/i
const SENDERS = Object.values(SENDER_IDS).flat()
const FROM_LINE = /^(?:From|Sender): ?(.{3,30})$/i
const SENDER_LINE = new RegExp(`^(${SENDERS.join('|')})(?:: ?|$)`, 'i')

/**
 * Splits what was pasted into messages: an SMS backup (XML, or a JSON object a line), a WhatsApp export, or text with or without
 * blank lines between messages. Never inside a reference, which the payer writes and may word like a message.
 */
export function splitMessages(pasted: string): Message[] {
  const text = pasted
    .replace(/\r\n?/g, '\n')
    .replace(/[\u200b-\u200f\u202a-\u202e\ufeff]/g, '')
    .replace(/[\u00a0\u202f]/g, ' ')
  // Only what begins as XML is a backup: a payer may write a tag into a reference.
  if (/^\s*<[?!a-z]/i.test(text) && /<sms\s/i.test(text)) return splitXml(text)
  const lines = text.split('\n')
  const { order } = dateFormOf(lines.flatMap((line) => WHATSAPP.exec(line.trim())?.[1] ?? []))
  const messages: Message[] = []
  let open: Message | null = null
  let progress = new Progress()
  let isBlankBefore = true
  let sender: string | null = null
  let at: Date | null = null
  const begin = (line: string) => {
    open = { text: line, sender, at }
    progress = new Progress(line)
    messages.push(open)
  }
  for (const read of lines) {
    const backup = readJsonLine(read)
    if (backup) {
      messages.push(backup)
      open = null
      continue
    }
    let line = read.trim()
    const export_ = WHATSAPP.exec(line)
    if (export_) {
      line = line.slice(export_[0].length)
      at = readTime(export_[1] as string, order)
      sender = null
      open = null
    }
    const from = FROM_LINE.exec(line) ?? SENDER_LINE.exec(line)
    if (from) {
      sender = (from[1] as string).trim()
      line = line.slice(from[0].length).trim()
      open = null
      if (!export_) at = null
    }
    if (line === '') {
      isBlankBefore = true
      continue
    }
    const [first = '', ...others] = splitLine(line)
    const isTail = /^(?:Ref(?:erence)?:|Stay alert)/i.test(first)
    const isOther = open !== null && standsAlone(first) && progress.isComplete()
    if (open === null || AT_LINE_START.test(first.replace(/ +/g, ' ')) || (isBlankBefore && !isTail) || isOther) {
      // A sender or time that was said belongs to the next message only.
      if (open !== null && !export_ && !from) [sender, at] = [null, null]
      begin(first)
    } else {
      ;(open as Message).text += `\n${first}`
      progress.add(first)
    }
    for (const other of others) {
      ;[sender, at] = [null, null]
      begin(other)
    }
    if (others.length > 0) for (const message of messages.slice(-others.length - 1)) message.sharesLine = true
    isBlankBefore = false
  }
  return messages.filter((message) => message.text.trim() !== '')
}

/** Messages that share a line. What follows "Reference:" is the payer's until an id of the network's comes. */
function splitLine(line: string): string[] {
  const parts: string[] = []
  let begun = 0
  let seen = 0
  let progress = new Progress()
  for (const { index } of line.matchAll(WITHIN_LINE)) {
    progress.add(line.slice(Math.max(begun, seen - ID_BEGINS_BEFORE), index))
    seen = index
    if (!progress.isComplete()) continue
    parts.push(line.slice(begun, index).trim())
    begun = index
    progress = new Progress()
  }
  return [...parts, line.slice(begun)]
}

/** "ID: " and what stands before it, when the digits are those that seem to begin the next message. */
const ID_BEGINS_BEFORE = 5

/** What of a message has come, piece by piece, so that no piece is looked at again. */
class Progress {
  #pieces = 0
  #isReferenced = false
  #hasId = false
  #isConfirmed = false

  constructor(first?: string) {
    if (first !== undefined) this.add(first)
  }

  add(piece: string) {
    if (this.#pieces === 0) this.#isConfirmed = /^\d{16} Confirmed/i.test(piece)
    this.#pieces += 1
    let ended = -1
    for (const { index, 0: word } of piece.matchAll(/Ref(?:erence)?:/gi)) ended = index + word.length
    if (ended >= 0) [this.#isReferenced, this.#hasId] = [true, false]
    this.#hasId ||= ID.test(ended >= 0 ? piece.slice(ended) : piece)
  }

  /** Whether the message has its id already, behind what the payer typed, so that nothing of it is missing. */
  isComplete(): boolean {
    return this.#hasId || (!this.#isReferenced && this.#isConfirmed)
  }
}

/** A line with an amount and an id is a message of its own, even if nobody knows its form. */
function standsAlone(line: string): boolean {
  return ID.test(line) && /GHS|GH¢|¢/i.test(line)
}

function splitXml(text: string): Message[] {
  return [...tagsOf(text)]
    .filter(({ name, attributes }) => /^sms$/i.test(name) && attribute(attributes, 'type') !== '2')
    .map(({ attributes }) => ({
      text: attribute(attributes, 'body'),
      sender: attribute(attributes, 'address') || null,
      at: toDate(Number(attribute(attributes, 'date'))),
    }))
    .filter((message) => message.text !== '')
}

function readJsonLine(line: string): Message | null {
  if (!/^\s*\{.*"body"/.test(line)) return null
  try {
    const { body, address, date, type } = JSON.parse(line.trim().replace(/,$/, '')) as Record<string, unknown>
    if (typeof body !== 'string' || String(type) === '2') return null
    return { text: body, sender: typeof address === 'string' ? address : null, at: toDate(Number(date)) }
  } catch {
    return null
  }
}

/** Days first, as in Ghana, unless another line of the export shows that it isn't so. */
function readTime(written: string, order: DateHint['order']): Date | null {
  return allIn(readDate(written, { order }))[0]?.at ?? null
}

function toDate(ms: number): Date | null {
  return Number.isFinite(ms) && ms > 0 && ms < Date.UTC(2100, 0) ? new Date(ms) : null
}
