import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Mailbox, openMailbox } from '../../../sandbox/mailbox.ts'
import { allow } from '../../../test/slowness.ts'
import { until } from '../../../test/until.ts'
import { createMailer, type Mailer } from './mailer.ts'

const mail = { to: 'ama@example.com', subject: 'Choose a new password', text: 'Open this:\n\nhttp://localhost/x\n' }

let mailbox: Mailbox
let mailer: Mailer
beforeEach(async () => {
  mailbox = await openMailbox()
  mailer = createMailer({ url: mailbox.smtpUrl, from: 'Dwadi <no-reply@dwadi.example>' })
})
afterEach(async () => {
  mailer.close()
  await mailbox.close()
})

test('a mail arrives unchanged', async () => {
  expect(await mailer.send(mail)).toEqual({ outcome: 'accepted' })
  expect(mailbox.messages()).toMatchObject([{ to: 'ama@example.com', subject: mail.subject, body: mail.text.trimEnd() }])
})

test.each([
  [550, 'rejected'],
  [553, 'rejected'],
  [421, 'unknown'],
  [451, 'unknown'],
])('a refusal with %i is %s', async (code, outcome) => {
  mailbox.addFault({ kind: 'refuse', code })
  expect(await mailer.send(mail)).toEqual({ outcome, reason: expect.stringContaining(String(code)) })
})

test.each(['hang', 'drop'] as const)('a service that accepts the mail and then does %s leaves it unknown', async (kind) => {
  const impatient = createMailer({ url: mailbox.smtpUrl, from: 'a@example.com', timeoutMs: kind === 'hang' ? allow(500) : 30_000 })
  mailbox.addFault({ kind, kept: true })
  expect((await impatient.send(mail)).outcome).toBe('unknown')
  impatient.close()
  await until(() => mailbox.faults().length === 0)
  expect(await mailer.send(mail)).toEqual({ outcome: 'accepted' })
})

test('an unreachable service gives unknown, and nothing throws', async () => {
  const lonely = createMailer({ url: 'smtp://127.0.0.1:1', from: 'a@example.com', timeoutMs: 300 })
  expect((await lonely.send(mail)).outcome).toBe('unknown')
  lonely.close()
})

test.each([
  ['an address', { to: 'ama@example.com\r\nBcc: thief@example.com' }],
  ['an address', { to: 'ama@example.com, thief@example.com' }],
  ['a subject', { subject: 'Hello\r\nBcc: thief@example.com\r\n\r\nbody' }],
])('a second receiver in %s gets nothing: %j', async (_place, change) => {
  await mailer.send({ ...mail, ...change })
  expect(mailbox.messages().filter(({ to }) => to.startsWith('thief'))).toEqual([])
  expect(mailbox.messages().length).toBeLessThan(2)
})

test('a file or URL named in the text is not loaded', async () => {
  const hostile = { ...mail, text: { path: '/etc/hostname' } as unknown as string }
  expect((await mailer.send(hostile)).outcome).not.toBe('accepted')
  expect(mailbox.messages()).toEqual([])
})
