import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import * as z from 'zod'
import { type FaultQueue, queueFaults, times } from './faults.ts'
import type { Message } from './messages.ts'

const KEPT_MESSAGES = 500
const MAX_MESSAGE_BYTES = 10 * 1024 * 1024

const which = {
  times,
  /** Applies to this receiver only; without it, to the next message. */
  to: z.string().optional(),
}

export const mailFault = z.discriminatedUnion('kind', [
  /** The receiver is refused: 550 for good, 451 for now. */
  z.object({ ...which, kind: z.literal('refuse'), code: z.int().min(400).max(599).default(550) }),
  /** Takes the whole message and never says whether it was taken. */
  z.object({ ...which, kind: z.literal('hang'), kept: z.boolean().default(false) }),
  /** Takes the whole message and cuts the connection. */
  z.object({ ...which, kind: z.literal('drop'), kept: z.boolean().default(false) }),
])
export type MailFault = z.output<typeof mailFault>
export type MailFaultInput = z.input<typeof mailFault>

export type Mailbox = {
  smtpUrl: string
  /** Newest first; one for each receiver. */
  messages(): Message[]
  addFault(fault: MailFaultInput): void
  faults(): MailFault[]
  clearFaults(): void
  /** For the routes mounted by the shop. */
  control: { faults: FaultQueue<MailFault, MailFaultInput> }
  close(): Promise<void>
}

/** Plays the mail service: an SMTP server on a loopback port of the system's choice that keeps what it is given. */
export async function openMailbox({ now = () => new Date() }: { now?: () => Date } = {}): Promise<Mailbox> {
  let messages: Message[] = []
  const faults = queueFaults(mailFault)
  const sockets = new Set<Socket>()

  const server = new SMTPServer({
    // No TLS: nobody could verify the certificate of a server that lives only as long as the shop.
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    size: MAX_MESSAGE_BYTES,
    logger: false,
    onRcptTo({ address }, _session, callback) {
      const fault = take(['refuse'], [address])
      if (fault?.kind === 'refuse') callback(replyWith(fault.code, 'The sandbox was told to refuse this receiver'))
      else callback()
    },
    onData(stream, session, callback) {
      receive(stream, session).then(callback, callback)
    },
  })
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // Ignore clients that disconnect half-way.
  server.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })

  return {
    smtpUrl: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    messages: () => messages,
    addFault: faults.add,
    clearFaults: faults.clear,
    faults: faults.list,
    control: { faults },
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }

  async function receive(stream: NodeJS.ReadableStream & { sizeExceeded: boolean }, session: SMTPServerSession): Promise<Error | null> {
    const raw = await buffer(stream)
    if (stream.sizeExceeded) return replyWith(552, 'The message is too large')
    const receivers = session.envelope.rcptTo.map(({ address }) => address)
    const fault = take(['hang', 'drop'], receivers)
    if (fault === null || (fault.kind !== 'refuse' && fault.kept)) await keep(raw, receivers)
    if (fault?.kind === 'drop') socketOf(session)?.destroy()
    // The connection of a hanging message ends with the client's patience or with this server.
    if (fault) await new Promise<never>(() => {})
    return null
  }

  async function keep(raw: Buffer, receivers: string[]) {
    const mail = await PostalMime.parse(raw)
    const body = (mail.text ?? mail.html ?? '').replaceAll('\r\n', '\n').trimEnd()
    const at = now().toISOString()
    const kept = receivers.map(
      (to): Message => ({ channel: 'email', to, ...(mail.subject === undefined ? {} : { subject: mail.subject }), body, at }),
    )
    messages = [...kept, ...messages].slice(0, KEPT_MESSAGES)
  }

  function take(kinds: MailFault['kind'][], receivers: string[]): MailFault | null {
    return faults.take((one) => kinds.includes(one.kind) && (one.to === undefined || receivers.includes(one.to)))
  }

  function socketOf(session: SMTPServerSession) {
    return [...sockets].find((socket) => socket.remotePort === session.remotePort)
  }
}

function replyWith(responseCode: number, message: string) {
  return Object.assign(new Error(message), { responseCode })
}
