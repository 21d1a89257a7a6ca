import type { Transporter } from 'nodemailer'

export type Mail = { to: string; subject: string; text: string }

/** `accepted` by the mail server; `rejected` for good (address or message); `unknown`: retry. */
export type MailOutcome = { outcome: 'accepted' } | { outcome: 'rejected'; reason: string } | { outcome: 'unknown'; reason: string }

/** `isOff`: every mail is rejected, since the shop sends none. */
export type Mailer = { send(mail: Mail): Promise<MailOutcome>; close(): void; isOff?: true }

const TIMEOUT_MS = 10_000

/** Mail over SMTP. `url` is smtp:// or smtps:// with user and password; `from` is the sender's address. */
export function createMailer({ url, from, timeoutMs = TIMEOUT_MS }: { url: string; from: string; timeoutMs?: number }): Mailer {
  let opened: Promise<Transporter> | undefined
  /** Loads the large library with the first mail. */
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
        // An object is always one address; a string would be parsed as a list.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
        return { outcome: 'accepted' }
      } catch (error) {
        return outcomeOf(error)
      }
    },
    close: () => void opened?.then((transport) => transport.close()),
  }
}

/** SMTP 5xx replies are final (RFC 5321, section 4.2.1); anything else may be temporary. */
function outcomeOf(error: unknown): MailOutcome {
  const reason = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined
  return typeof code === 'number' && code >= 500 ? { outcome: 'rejected', reason } : { outcome: 'unknown', reason }
}
