import { createTransport, type Transporter } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Mailbox, openMailbox } from './mailbox.ts'

let mailbox: Mailbox
let mailer: Transporter
let now: Date

const mail = { from: 'shop@dwadi.example', to: 'ama@example.com', subject: 'Reset your password', text: 'Open this:\nhttp://localhost/x' }

beforeEach(async () => {
  now = new Date('2026-11-21T08:00:00Z')
  mailbox = await openMailbox({ now: () => now })
  mailer = createTransport({ url: mailbox.smtpUrl, socketTimeout: 500, greetingTimeout: 500, connectionTimeout: 500 } as object)
})
afterEach(async () => {
  mailer.close()
  await mailbox.close()
})

describe('the mailbox', () => {
  test('keeps mails as the receiver would read them', async () => {
    const sent = await mailer.sendMail(mail)
    expect(sent.accepted).toEqual(['ama@example.com'])
    expect(mailbox.messages()).toEqual([
      {
        channel: 'email',
        to: 'ama@example.com',
        subject: 'Reset your password',
        body: 'Open this:\nhttp://localhost/x',
        at: '2026-11-21T08:00:00.000Z',
      },
    ])
  })

  test('reads non-ASCII letters, long lines and lines that start with a dot', async () => {
    const link = `http://localhost/reset-password/${'a'.repeat(300)}`
    const text = `Ɛyɛ, Kwabena! ₵5.00\n.\n..two\n${link}`
    await mailer.sendMail({ ...mail, subject: 'Wo kɔnt: ɔkwan foforɔ', text })
    expect(mailbox.messages()[0]).toMatchObject({ subject: 'Wo kɔnt: ɔkwan foforɔ', body: text })
  })

  test('shows the text of a mail, and its HTML if it has no text', async () => {
    await mailer.sendMail({ ...mail, html: '<p>Not this</p>' })
    await mailer.sendMail({ ...mail, text: undefined, html: '<p>This</p>' })
    expect(mailbox.messages().map(({ body }) => body)).toEqual([expect.stringContaining('This'), mail.text])
  })

  test('lists the newest first, one for each receiver, those in blind copy too', async () => {
    await mailer.sendMail({ ...mail, subject: 'one' })
    now = new Date('2026-11-21T08:00:01Z')
    await mailer.sendMail({ ...mail, subject: 'two', to: ['ama@example.com', 'kofi@example.com'], bcc: 'esi@example.com' })
    expect(mailbox.messages().map(({ subject, to }) => `${subject} ${to}`)).toEqual([
      'two ama@example.com',
      'two kofi@example.com',
      'two esi@example.com',
      'one ama@example.com',
    ])
  })

  test('keeps no more than the newest 500', async () => {
    const receivers = (name: string) => Array.from({ length: 300 }, (_, index) => `${name}${index}@example.com`)
    await mailer.sendMail({ ...mail, to: receivers('old') })
    await mailer.sendMail({ ...mail, to: receivers('new') })
    expect(mailbox.messages()).toHaveLength(500)
    expect(mailbox.messages()[0]?.to).toBe('new0@example.com')
    expect(mailbox.messages()[499]?.to).toBe('old199@example.com')
  })

  test.each([550, 451])('can refuse the next receiver with %i', async (code) => {
    mailbox.addFault({ kind: 'refuse', code })
    await expect(mailer.sendMail(mail)).rejects.toMatchObject({ responseCode: code })
    expect(mailbox.messages()).toEqual([])
    await mailer.sendMail(mail)
    expect(mailbox.messages()).toHaveLength(1)
  })

  test('can refuse one receiver and serve the others', async () => {
    mailbox.addFault({ kind: 'refuse', to: 'kofi@example.com' })
    const sent = await mailer.sendMail({ ...mail, to: ['ama@example.com', 'kofi@example.com'] })
    expect(sent.accepted).toEqual(['ama@example.com'])
    expect(sent.rejected).toEqual(['kofi@example.com'])
    expect(mailbox.messages().map(({ to }) => to)).toEqual(['ama@example.com'])
  })

  test.each([true, false])('can leave the sender without a reply, with the mail kept: %s', async (kept) => {
    mailbox.addFault({ kind: 'hang', kept })
    await expect(mailer.sendMail(mail)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    expect(mailbox.messages()).toHaveLength(kept ? 1 : 0)
    expect(mailbox.faults()).toEqual([])
  })

  test.each([true, false])('can cut the connection, with the mail kept: %s', async (kept) => {
    mailbox.addFault({ kind: 'drop', kept })
    await expect(mailer.sendMail(mail)).rejects.toThrow()
    expect(mailbox.messages()).toHaveLength(kept ? 1 : 0)
    await mailer.sendMail(mail)
    expect(mailbox.messages()).toHaveLength(kept ? 2 : 1)
  })

  test('damages as many mails as requested, and none once cleared', async () => {
    mailbox.addFault({ kind: 'refuse', times: 3 })
    await expect(mailer.sendMail(mail)).rejects.toThrow()
    await expect(mailer.sendMail(mail)).rejects.toThrow()
    mailbox.clearFaults()
    await mailer.sendMail(mail)
    expect(mailbox.messages()).toHaveLength(1)
  })

  test('closes while a sender still waits for a reply', async () => {
    const other = await openMailbox()
    other.addFault({ kind: 'hang' })
    const patient = createTransport(other.smtpUrl)
    const sending = patient.sendMail(mail).then(
      () => 'sent',
      () => 'failed',
    )
    await expect.poll(() => other.faults()).toEqual([])
    await other.close()
    expect(await sending).toBe('failed')
  })
})
