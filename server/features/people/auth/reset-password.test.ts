import { createHash } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openMailbox } from '../../../../sandbox/mailbox.ts'
import type { Sandbox } from '../../../../sandbox/open-sandbox.ts'
import { formatDateTime } from '../../../../shared/dates.ts'
import type { ErrorBody } from '../../../../shared/errors.ts'
import type { SignedInUser } from '../../../../shared/users.ts'
import { openTestShop, type TestShop } from '../../../../test/app.ts'
import { call, cartLine, checkout, makeUser, PASSWORD } from '../../../../test/builders.ts'
import { openTestDatabase } from '../../../../test/database.ts'
import { openRealtimeProbe } from '../../../../test/realtime-probe.ts'
import { allow } from '../../../../test/slowness.ts'
import { until } from '../../../../test/until.ts'
import { createMailer } from '../../../integrations/mail/mailer.ts'
import { openWallet } from '../../../ledger/ledger.ts'
import type { Ctx } from '../../../platform/context.ts'
import { transaction } from '../../../platform/db.ts'
import { createLog } from '../../../platform/log.ts'
import { insertUser } from '../users/users.sql.ts'
import { deleteOldResets, insertResetRequest } from './password-resets.sql.ts'
import { sendPasswordResets } from './send-password-resets.ts'

const HOUR_MS = 3_600_000
const NEW_PASSWORD = 'another good password'
const SENT = { message: 'Password reset email sent. Please check your inbox.' }
const TOO_OLD = 'This link has been used or is too old. Please ask for a new one.'

let shop: TestShop
let mail: Sandbox['mail']

beforeAll(async () => {
  shop = await openTestShop({ withSandbox: true })
  mail = (shop.sandbox as Sandbox).mail
})
afterEach(() => mail.clearFaults())
afterAll(() => shop.close())

function ask(email: unknown, headers: Record<string, string> = {}) {
  return call(shop, 'POST', '/user/forget-password', { body: { email }, headers })
}

/** The mails with a link to choose a new password. */
function mailsTo({ email }: { email: string }) {
  return mail.messages().filter(({ to, subject }) => to === email && subject?.startsWith('Choose'))
}

/** The mails that say that it was changed. */
function noticesTo({ email }: { email: string }) {
  return mail.messages().filter(({ to, subject }) => to === email && subject?.endsWith('was changed'))
}

async function mailedToken(user: { email: string }, count = 1): Promise<string> {
  const newest = await until(() => mailsTo(user).length === count && mailsTo(user)[0])
  return /\/reset-password\/([\w-]+)/.exec(newest.body)![1]!
}

async function askForToken(user: { email: string }): Promise<string> {
  const count = mailsTo(user).length
  await ask(user.email)
  return mailedToken(user, count + 1)
}

function reset(token: string, password: unknown = NEW_PASSWORD) {
  return call<ErrorBody>(shop, 'POST', `/user/reset-password/${token}`, { body: { password } })
}

async function signIn({ phone }: SignedInUser, password: string): Promise<number> {
  return (await call(shop, 'POST', '/user/login', { body: { userPhone: phone, password } })).status
}

/** When every request that was made is dealt with, one way or another. */
async function allDealtWith() {
  await until(async () => {
    const { rows } = await shop.database.db.query('select from password_reset_requests where try_at is not null')
    return rows.length === 0
  })
}

describe('requesting a reset mail', () => {
  test('brings one to the address of the account, with a link that works', async () => {
    const user = await makeUser(shop)
    expect(await ask(` ${user.email.toUpperCase()} `)).toMatchObject({ status: 200, body: SENT })
    const token = await mailedToken(user)
    const [letter] = mailsTo(user)
    expect(letter!.subject).toBe('Choose a new password for Dwadi')
    expect(letter!.body).toContain(`Hello ${user.username},`)
    expect(letter!.body).toContain(`${shop.url}/reset-password/${token}`)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect((await reset(token)).status).toBe(200)
    expect([await signIn(user, PASSWORD), await signIn(user, NEW_PASSWORD)]).toEqual([401, 200])
  })

  test('gets the same reply for an unknown address and for a banned account; neither gets a mail', async () => {
    const [known, banned] = [await makeUser(shop), await makeUser(shop)]
    await shop.database.db.query(`update users set status = 'Banned' where id = $1`, [banned._id])
    const replies = await Promise.all([known.email, 'nobody@example.com', banned.email].map((email) => ask(email)))
    const comparable = replies.map(({ status, body, headers: { date: _, ...headers } }) => ({ status, body, headers }))
    expect(comparable).toEqual([comparable[0], comparable[0], comparable[0]])
    expect(comparable[0]).toMatchObject({ status: 200, body: SENT })
    await mailedToken(known)
    await allDealtWith()
    expect(mail.messages().filter(({ to }) => to === 'nobody@example.com' || to === banned.email)).toEqual([])
  })

  test('takes as long for an unknown address as for a known one', async () => {
    const user = await makeUser(shop)
    const timeOf = async (email: string) => {
      const start = performance.now()
      await ask(email)
      return performance.now() - start
    }
    const median = (list: number[]) => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)]!
    const ratios: number[] = []
    for (let attempt = 0; attempt < 5; attempt++) {
      const [known, unknown]: [number[], number[]] = [[], []]
      for (let sample = 0; sample < 30; sample++) {
        // The one that goes first meets a server that still works for the last.
        if (sample % 2 === 0) known.push(await timeOf(user.email))
        unknown.push(await timeOf('nobody@example.com'))
        if (sample % 2 === 1) known.push(await timeOf(user.email))
      }
      ratios.push(median(known) / median(unknown))
    }
    // Looking an account up and hashing would be a multiple, each time; what the machine does besides is not.
    expect(median(ratios)).toBeGreaterThan(0.67)
    expect(median(ratios)).toBeLessThan(1.5)
    await allDealtWith()
  })

  test.each([
    'ama',
    'ama@',
    '@example.com',
    'a b@example.com',
    '"a b"@example.com',
    'ama@example.com\r\nBcc: thief@example.com',
    'ama@example.com, thief@example.com',
    `${'a'.repeat(310)}@example.com`,
    '',
    5,
    null,
    ['ama@example.com'],
  ])('with %j as address is refused, and nothing is mailed', async (email) => {
    const { status, body } = await ask(email)
    expect([status, (body as ErrorBody).issues?.[0]?.path]).toEqual([400, 'email'])
  })

  test('more than three times in an hour brings three mails; the next hour brings more', async () => {
    const user = await makeUser(shop)
    for (let count = 0; count < 8; count++) await ask(user.email)
    await allDealtWith()
    expect(mailsTo(user)).toHaveLength(3)
    shop.clock.advance(HOUR_MS - 1000)
    await ask(user.email)
    await allDealtWith()
    expect(mailsTo(user)).toHaveLength(3)
    shop.clock.advance(2000)
    await ask(user.email)
    await mailedToken(user, 4)
  })

  test('more than six times in a day brings six mails, also to who has bought something', async () => {
    const user = await makeUser(shop, { balance: 20 })
    expect((await checkout(shop, user, [await cartLine(shop)])).status).toBe(200)
    for (let hour = 0; hour < 4; hour++) {
      for (let count = 0; count < 3; count++) await ask(user.email)
      await allDealtWith()
      shop.clock.advance(HOUR_MS + 1000)
    }
    expect(mailsTo(user)).toHaveLength(6)
    shop.clock.advance(24 * HOUR_MS)
    await ask(user.email)
    await mailedToken(user, 7)
  })

  test('is not delayed by a hundred other requests', async () => {
    const user = await makeUser(shop)
    await Promise.all(Array.from({ length: 100 }, (_, index) => ask(`nobody${index}@example.com`)))
    await ask(user.email)
    const start = performance.now()
    await mailedToken(user)
    // The loop takes ten at a time.
    expect(performance.now() - start).toBeLessThan(allow(4_000))
  })

  test('repeatedly in someone else’s name does not stop their mails for ever', async () => {
    const user = await makeUser(shop)
    for (let tenMinutes = 0; tenMinutes < 13; tenMinutes++) {
      await ask(user.email)
      await allDealtWith()
      shop.clock.advance(HOUR_MS / 6)
    }
    expect(mailsTo(user).length).toBeGreaterThanOrEqual(6)
    expect(mailsTo(user).length).toBeLessThanOrEqual(9)
  })

  test.each([
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example' },
    { 'x-forwarded-proto': 'https', 'x-forwarded-port': '444', forwarded: 'host=evil.example' },
    { 'x-original-url': 'http://evil.example/', origin: 'http://evil.example', referer: 'http://evil.example/' },
  ])('with the host %j still links to the configured address', async (headers) => {
    const user = await makeUser(shop)
    await ask(user.email, headers as Record<string, string>)
    await mailedToken(user)
    expect(mailsTo(user)[0]!.body).toContain(`\n${shop.url}/reset-password/`)
    expect(mailsTo(user)[0]!.body).not.toContain('evil')
  })

  test('with an absolute URL in the request line still links to the configured address', async () => {
    const user = await makeUser(shop)
    const body = JSON.stringify({ email: user.email })
    const { hostname, port } = new URL(shop.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      `POST http://evil.example/api/user/forget-password HTTP/1.1\r\nHost: evil.example:81\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    )
    let reply = ''
    for await (const chunk of socket) reply += chunk
    if (reply.startsWith('HTTP/1.1 200'))
      expect(/http\S+/.exec((await until(() => mailsTo(user)[0])).body)![0]).toMatch(new RegExp(`^${shop.url}/`))
    else expect(reply).toMatch(/^HTTP\/1\.1 4\d\d/)
  })
})

describe('the link', () => {
  test('works once: of 64 uses at the same time one changes the password', async () => {
    const user = await makeUser(shop)
    const token = await askForToken(user)
    const passwords = Array.from({ length: 64 }, (_, index) => `password number ${index}`)
    const replies = await Promise.all(passwords.map((password) => reset(token, password)))
    const winners = replies.flatMap(({ status }, index) => (status === 200 ? [index] : []))
    expect(winners).toHaveLength(1)
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 400]))
    expect(await signIn(user, passwords[winners[0]!]!)).toBe(200)
    expect(await signIn(user, PASSWORD)).toBe(401)
    const again = await reset(token)
    expect([again.status, again.body.message, again.body.issues?.[0]?.path]).toEqual([400, TOO_OLD, 'token'])
  })

  test('refuses a common password, says why, and still works with another', async () => {
    const user = await makeUser(shop)
    const token = await askForToken(user)
    for (const [guess, why] of [
      ['password123', /^That password is too common/],
      ['dwadi2026', /^That password is too common/],
      [user.phone, /too easy to guess as a password/],
    ] as const) {
      const { status, body } = await reset(token, guess)
      expect([guess, status, body.issues?.map(({ path }) => path)]).toEqual([guess, 400, ['password']])
      expect(body.message).toMatch(why)
    }
    expect(await signIn(user, PASSWORD)).toBe(200)
    expect((await reset(token)).status).toBe(200)
  })

  test('expires after exactly one hour', async () => {
    const user = await makeUser(shop)
    const early = await askForToken(user)
    shop.clock.advance(HOUR_MS - 1)
    expect((await reset(early)).status).toBe(200)
    const late = await askForToken(user)
    shop.clock.advance(HOUR_MS)
    expect((await reset(late, PASSWORD)).body.message).toBe(TOO_OLD)
    expect(await signIn(user, NEW_PASSWORD)).toBe(200)
  })

  test('is invalidated by a newer one, and stays so when that one is used', async () => {
    const user = await makeUser(shop)
    const [older, newer] = [await askForToken(user), await askForToken(user)]
    expect((await reset(older)).status).toBe(400)
    expect((await reset(newer)).status).toBe(200)
    expect((await reset(older)).status).toBe(400)
  })

  test('belongs to one user: another user’s link stays valid', async () => {
    const [user, other] = [await makeUser(shop), await makeUser(shop)]
    const [token, foreign] = [await askForToken(user), await askForToken(other)]
    await reset(token)
    expect([await signIn(user, NEW_PASSWORD), await signIn(other, PASSWORD)]).toEqual([200, 200])
    expect((await reset(foreign)).status).toBe(200)
  })

  test('is refused when invented or truncated', async () => {
    const user = await makeUser(shop)
    const token = await askForToken(user)
    for (const wrong of [token.slice(0, -1), `${token}A`, token.toLowerCase(), 'x', 'null', '%00', "'%20or%201=1--", 'A'.repeat(200)]) {
      const { status } = await reset(wrong)
      expect([wrong, status]).toEqual([wrong, 400])
    }
    expect((await reset(token)).status).toBe(200)
  })

  test('is not used up by a password that is too short or too long', async () => {
    const user = await makeUser(shop)
    const token = await askForToken(user)
    for (const password of ['', '1234567', 'x'.repeat(129), 12345678, null]) {
      const { status, body } = await reset(token, password)
      expect([status, body.issues?.[0]?.path]).toEqual([400, 'password'])
    }
    expect((await reset(token)).status).toBe(200)
  })

  test('ends all sessions and sockets of that user, and nobody else’s', async () => {
    const user = await makeUser(shop)
    const other = await makeUser(shop)
    const second = await call<SignedInUser>(shop, 'POST', '/user/login', { body: { userPhone: user.phone, password: PASSWORD } })
    const [probe, otherProbe] = [await openRealtimeProbe(shop.url, user.token), await openRealtimeProbe(shop.url, other.token)]
    await reset(await askForToken(user))
    for (const token of [user.token, second.body.token])
      expect((await call(shop, 'GET', '/order/allorders', { as: { token } })).status).toBe(401)
    await until(() => probe.closed())
    expect([otherProbe.closed(), (await call(shop, 'GET', '/order/allorders', { as: other })).status]).toEqual([null, 200])
    otherProbe.close()
  })

  test('is stored only as a hash, and never logged', async () => {
    const lines: string[] = []
    const log = createLog('trace')
    const sink = Object.getOwnPropertySymbols(log).find((symbol) => symbol.description === 'pino.stream')!
    Object.assign(log, { [sink]: { write: (line: string) => void lines.push(line) } })
    log.info({ req: { method: 'POST', url: '/api/user/reset-password/secret-token?x=1', ip: '127.0.0.1' } }, 'incoming request')
    expect(lines.join('')).toContain('/api/user/reset-password/[left out]?[left out]')
    expect(lines.join('')).not.toContain('secret-token')

    const user = await makeUser(shop)
    const token = await askForToken(user)
    const { rows: tables } = await shop.database.db.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    expect(tables.length).toBeGreaterThan(10)
    const kept = (value: string) => `%${value}%`
    const bytes = Buffer.from(token).toString('hex')
    const hash = createHash('sha256').update(token).digest('hex')
    const places: Record<string, string[]> = { token: [], bytes: [], hash: [] }
    for (const { name } of tables) {
      const { rows } = await shop.database.db.query<{ token: boolean; bytes: boolean; hash: boolean }>(
        `select coalesce(bool_or(t::text like $1), false) as token, coalesce(bool_or(t::text like $2), false) as bytes,
           coalesce(bool_or(t::text like $3), false) as hash from "${name}" t`,
        [kept(token), kept(bytes), kept(hash)],
      )
      for (const form of ['token', 'bytes', 'hash'] as const) if (rows[0]![form]) places[form]!.push(name)
    }
    expect(places).toEqual({ token: [], bytes: [], hash: ['password_resets'] })
  })
})

describe('a password that was changed', () => {
  test('is reported to its owner by mail: when, and what to do if it was someone else, without a link to the account', async () => {
    const user = await makeUser(shop)
    const changedAt = formatDateTime(shop.clock.now)
    await reset(await askForToken(user))
    const [letter] = await until(() => noticesTo(user).length > 0 && noticesTo(user))
    expect(letter!.subject).toBe('Your Dwadi password was changed')
    expect(letter!.body).toContain(`Hello ${user.username},`)
    expect(letter!.body).toContain(`was changed on ${changedAt} (Ghana time)`)
    expect(letter!.body).toContain('If it was not you, somebody can read your mails. Change the password of this mailbox first.')
    expect(letter!.body).toContain(`${shop.url}/login`)
    expect(letter!.body).toContain('024 000 0000 or hello@dwadi.example')
    expect(letter!.body).not.toMatch(/reset-password|another good/)
  })

  test('is reported once for 16 uses of one link, and not when nothing changed', async () => {
    const [user, other] = [await makeUser(shop), await makeUser(shop)]
    const token = await askForToken(user)
    await Promise.all(Array.from({ length: 16 }, () => reset(token)))
    await reset(await askForToken(other), 'short')
    await reset('A'.repeat(43))
    await until(() => noticesTo(user).length > 0)
    await until(async () => (await waitingNotices()) === 0)
    expect([noticesTo(user).length, noticesTo(other).length]).toEqual([1, 0])
  })

  test('is reported as soon as the mail service accepts it; the change itself does not wait', async () => {
    const user = await makeUser(shop)
    const token = await askForToken(user)
    mail.addFault({ kind: 'refuse', code: 451, times: 2 })
    const start = performance.now()
    expect((await reset(token)).status).toBe(200)
    expect(performance.now() - start).toBeLessThan(allow(3_000))
    await until(() => noticesTo(user).length > 0, 20_000)
    expect(noticesTo(user)).toHaveLength(1)
  })

  async function waitingNotices(): Promise<number> {
    const { rows } = await shop.database.db.query<{ waiting: number }>(
      `select count(*) as waiting from jobs.job where name = 'tell-password-changed' and state < 'completed'`,
    )
    return rows[0]!.waiting
  }
})

describe('a mail service that fails', () => {
  /** Requests of a database without an app, so that nobody but the test sends. */
  async function openMails(smtpUrl: string, timeoutMs = 30_000) {
    const { db, close } = await openTestDatabase()
    const email = 'ama@example.com'
    await transaction(db, async (tx) => {
      const details = { username: 'ama', usernameSkeleton: 'ama', email, phone: '0240000001', passwordHash: 'none' }
      await openWallet(tx, await insertUser(tx, { ...details, level: 'Customer', now: new Date(0) }))
    })
    let now = new Date('2026-11-21T12:00:00Z')
    const mailer = createMailer({ url: smtpUrl, from: 'Dwadi <no-reply@dwadi.example>', timeoutMs })
    const ctx = () => ({ db, now, log: createLog('silent'), actor: null, ip: null }) as unknown as Ctx
    await insertResetRequest(db, email, now)
    return {
      db,
      send: () =>
        sendPasswordResets(ctx(), {
          mailer,
          publicUrl: () => 'https://shop.example',
          shopName: 'Dwadi',
          shopPhone: '0240000000',
          shopEmail: 'hello@dwadi.example',
          dailyCap: 1_000,
        }),
      wait: (ms: number) => {
        now = new Date(now.getTime() + ms)
      },
      state: async () => {
        const { rows } = await db.query<{ attempts: number; waiting: boolean; error: string | null }>(
          'select attempts, try_at is not null as waiting, last_error as error from password_reset_requests',
        )
        return rows[0]!
      },
      close: async () => {
        mailer.close()
        await close()
      },
    }
  }

  test.each([{ kind: 'refuse', code: 451 }, { kind: 'hang' }, { kind: 'drop' }] as const)(
    'with %j is retried, and the mail that arrives has a working link',
    async (fault) => {
      const mailbox = await openMailbox()
      const mails = await openMails(mailbox.smtpUrl, fault.kind === 'hang' ? allow(500) : 30_000)
      mailbox.addFault({ ...fault, times: 2 })
      await mails.send()
      expect(await mails.state()).toMatchObject({ attempts: 1, waiting: true, error: expect.any(String) })
      await mails.send()
      expect((await mails.state()).attempts).toBe(1)
      mails.wait(60_000)
      await mails.send()
      mails.wait(60_000)
      await mails.send()
      expect(await mails.state()).toEqual({ attempts: 3, waiting: false, error: null })
      expect(mailbox.messages()).toHaveLength(1)
      const token = /reset-password\/([\w-]+)/.exec(mailbox.messages()[0]!.body)![1]!
      const { rows } = await mails.db.query<{ hash: Buffer }>('select token_hash as hash from password_resets')
      expect(rows.map(({ hash }) => hash.toString('hex'))).toEqual([createHash('sha256').update(token).digest('hex')])
      await mails.close()
      await mailbox.close()
    },
  )

  test('that refuses permanently is not retried', async () => {
    const mailbox = await openMailbox()
    const mails = await openMails(mailbox.smtpUrl)
    mailbox.addFault({ kind: 'refuse', code: 550 })
    await mails.send()
    expect(await mails.state()).toMatchObject({ attempts: 1, waiting: false, error: expect.stringContaining('550') })
    mails.wait(HOUR_MS)
    await mails.send()
    expect(mailbox.messages()).toEqual([])
    await mails.close()
    await mailbox.close()
  })

  test('that is unreachable is retried six times with growing pauses, then given up', async () => {
    const mails = await openMails('smtp://127.0.0.1:1')
    const pauses: number[] = []
    for (let minutes = 0; (await mails.state()).waiting && minutes < 100; minutes += 1) {
      const { attempts } = await mails.state()
      await mails.send()
      if ((await mails.state()).attempts > attempts) pauses.push(minutes)
      mails.wait(60_000)
    }
    expect(await mails.state()).toMatchObject({ attempts: 6, waiting: false, error: expect.stringMatching(/ECONNREFUSED|EADDRNOTAVAIL/) })
    const gaps = pauses.slice(1).map((minute, index) => minute - pauses[index]!)
    expect(gaps).toEqual(gaps.toSorted((one, other) => one - other))
    await mails.close()
  })

  test('that accepts the connection and says nothing delays nobody for long', async () => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => void sockets.add(socket))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const mails = await openMails(`smtp://127.0.0.1:${(silent.address() as { port: number }).port}`, 300)
    await mails.send()
    expect(await mails.state()).toMatchObject({ attempts: 1, waiting: true })
    await mails.close()
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => silent.close(resolve))
  })

  test('does not delay the reply or other people’s mails', async () => {
    const [unlucky, lucky] = [await makeUser(shop), await makeUser(shop)]
    mail.addFault({ kind: 'refuse', code: 451, to: unlucky.email, times: 100 })
    const start = performance.now()
    expect(await ask(unlucky.email)).toMatchObject({ status: 200, body: SENT })
    expect(await ask(lucky.email)).toMatchObject({ status: 200, body: SENT })
    expect(performance.now() - start).toBeLessThan(allow(1000))
    await mailedToken(lucky)
    await until(async () => {
      const { rows } = await shop.database.db.query('select from password_reset_requests where email = $1 and last_error is not null', [
        unlucky.email,
      ])
      return rows.length === 1
    })
    expect(mailsTo(unlucky)).toEqual([])
    mail.clearFaults()
    shop.clock.advance(60_000)
    // Any request has the waiting ones looked at too.
    await ask('nobody@example.com')
    expect((await reset(await mailedToken(unlucky))).status).toBe(200)
  })

  test('two processes working on the same requests send each mail once', async () => {
    const mailbox = await openMailbox()
    const mails = await openMails(mailbox.smtpUrl)
    await Promise.all(Array.from({ length: 8 }, () => mails.send()))
    expect(mailbox.messages()).toHaveLength(1)
    await mails.close()
    await mailbox.close()
  })
})

test('old requests are deleted, except those still waiting or with a valid link', async () => {
  const { db, close } = await openTestDatabase()
  const now = new Date('2026-11-21T12:00:00Z')
  const at = (hours: number) => new Date(now.getTime() + hours * HOUR_MS)
  await db.query(
    `insert into password_reset_requests (email, requested_at, try_at) values ('old', $1, null), ('waiting', $1, $1), ('new', $2, null)`,
    [at(-25), at(-23)],
  )
  await db.query(
    `with made as (
       insert into users (username, username_skeleton, email, phone, password_hash) values ('ama', 'ama', 'a@example.com', '0240000001', '') returning id
     ) insert into password_resets select sha256('1'), id, $1::timestamptz, $1::timestamptz from made union all select sha256('2'), id, $1, $2 from made`,
    [at(-1), at(1)],
  )
  await deleteOldResets(db, { since: at(-24), now })
  expect((await db.query('select email from password_reset_requests order by id')).rows).toEqual([{ email: 'waiting' }, { email: 'new' }])
  expect((await db.query(`select token_hash = sha256('2') as usable from password_resets`)).rows).toEqual([{ usable: true }])
  await close()
})
