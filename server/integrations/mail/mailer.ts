import type { Transporter } from 'nodemailer'

export type Mail = { to: string; subject: string; text: string }

/** Accepted by the next server; rejected for good (the address, the message); or unknown: worth another try. */
export type MailOutcome = { outcome: 'accepted' } | { outcome: 'rejected'; reason: string } | { outcome: 'unknown'; reason: string }

export type Mailer = { send(mail: Mail): Promise<MailOutcome>; close(): void }

const TIMEOUT_MS = 10_000

/** Mail over SMTP. `url` is smtp:// or smtps:// with user and password in it; `from` is the sender's address. */
export function createMailer({ url, from, timeoutMs = TIMEOUT_MS }: { url: string; from: string; timeoutMs?: number }): Mailer {
  let opened: Promise<Transporter> | undefined
  /** With the first mail: the library is large, and most of a shop's days see none. */
  async function open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    } as Parameters<typeof createTransport>[0])
  }
  return {
    async send({ to, subject, text }) {
      try {
        opened ??= open()
        const transport = await opened
        // As an object it is one address, whatever is in it; as text it would be read as a list.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
        return { outcome: 'accepted' }
      } catch (error) {
        return outcomeOf(error)
      }
    },
    close: () => void opened?.then((transport) => transport.close()),
  }
}

/** An SMTP reply of 5xx is final (RFC 5321, section 4.2.1); anything else may pass. */
function outcomeOf(error: unknown): MailOutcome {
  const reason = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined
  return typeof code === 'number' && code >= 500 ? { outcome: 'rejected', reason } : { outcome: 'unknown', reason }
}
