import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { PROTOCOLS, type UssdProtocol } from './protocols.ts'

/** What may happen to a turn: its reply is lost, it comes twice at once, or it is late by so many milliseconds. */
export type UssdFault = { kind: 'lose' } | { kind: 'repeat' } | { kind: 'late'; delayMs: number }

/** What a phone shows. `session` is null once it is over. */
export type PhoneScreen = { session: string | null; phone: string; message: string }

export type UssdPhones = {
  protocol: () => UssdProtocol
  choose: (protocol: UssdProtocol) => void
  dial: (phone: string, fault?: UssdFault) => Promise<PhoneScreen>
  /** @throws Error for a session that is over. */
  type: (session: string, text: string, fault?: UssdFault) => Promise<PhoneScreen>
  /** The network ends the session, as after two minutes without an answer. */
  timeOut: (session: string) => Promise<PhoneScreen>
}

type Session = { phone: string; turn: number }

const DIALLED = '*928#'
const LOST = 'Connection problem or invalid MMI code.'

/** Phones on a simulated network, whose gateway calls the shop at `url` in the form of the one chosen. */
export function openUssdPhones({ url }: { url: () => string }): UssdPhones {
  let chosen: UssdProtocol = 'arkesel'
  const sessions = new Map<string, Session>()

  async function post(session: string, { phone, turn }: Session, text: string, kind: 'first' | 'next' | 'over') {
    const { asRequest, readReply } = PROTOCOLS[chosen]
    const request = asRequest({ session, phone, text, turn, kind })
    const reply = await fetch(url(), { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) })
    const body = (await reply.json().catch(() => ({}))) as Record<string, unknown>
    return reply.ok ? readReply(body) : null
  }

  async function turn(session: string, text: string, kind: 'first' | 'next', fault?: UssdFault): Promise<PhoneScreen> {
    const open = sessions.get(session)
    if (!open) throw new Error('That session is over.')
    open.turn += 1
    const { phone } = open
    if (fault?.kind === 'late') await sleep(fault.delayMs)
    const sent = { ...open }
    const replies = await Promise.all(
      (fault?.kind === 'repeat' ? [1, 2] : [1]).map(() => post(session, sent, text, kind).catch(() => null)),
    )
    const answer = fault?.kind === 'lose' ? null : (replies.at(-1) ?? null)
    if (answer?.goesOn) return { session, phone, message: answer.message }
    sessions.delete(session)
    return { session: null, phone, message: answer?.message ?? LOST }
  }

  return {
    protocol: () => chosen,
    choose: (protocol) => {
      chosen = protocol
      sessions.clear()
    },
    dial(phone, fault) {
      const session = randomUUID()
      sessions.set(session, { phone, turn: 0 })
      return turn(session, DIALLED, 'first', fault)
    },
    type: (session, text, fault) => turn(session, text, 'next', fault),
    async timeOut(session) {
      const open = sessions.get(session)
      sessions.delete(session)
      if (open && chosen === 'hubtel') await post(session, { ...open, turn: open.turn + 1 }, '', 'over').catch(() => null)
      return { session: null, phone: open?.phone ?? '', message: 'Time-out. Please dial again.' }
    },
  }
}
