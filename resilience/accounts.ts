import { createHash } from 'node:crypto'
import { foldUsername } from '../server/features/people/users/fold-username.ts'
import { hashToken } from '../server/platform/hash-token.ts'
import { sendRaw } from '../test/http-client.ts'
import { until } from '../test/until.ts'
import { safeRedirect } from '../web/lib/redirect.ts'
import type { Experiment } from './experiment.ts'
import { count, eachOf, quantile } from './measure.ts'
import { openShops, PASSWORD, type Person, type Shops } from './shops.ts'

/** I. Accounts, sessions, recovery. */
export const accounts: Experiment[] = [
  {
    id: 'I1',
    expects: 'known against unknown at login and forgotten password: same status, words and headers, median times within 10 %',
    runs: { fast: 200, full: 500 },
    async go(trial) {
      const shops = await trial.shops()
      const person = await shops.makeUser()
      const pairs = [
        [
          '/user/login',
          { userPhone: person.phone, password: 'not the password' },
          { userPhone: '0209999999', password: 'not the password' },
        ],
        ['/user/forget-password', { email: person.email }, { email: 'nobody@example.com' }],
      ] as const
      for (const [path, known, unknown] of pairs) {
        const tookMs: [number[], number[]] = [[], []]
        for (let run = 0; run < trial.runs; run++) {
          const texts: string[] = []
          // Alternate, so that other load on the machine affects both alike.
          for (const which of run % 2 === 0 ? [0, 1] : [1, 0]) {
            const since = performance.now()
            const { status, text, headers } = await shops.call('POST', path, { body: which === 0 ? known : unknown, shop: 0 })
            tookMs[which as 0 | 1].push(performance.now() - since)
            texts.push([status, text, Object.keys(headers).sort()].join('|'))
          }
          trial.same(path, texts[0], texts[1])
          trial.did()
        }
        const ratio = quantile(tookMs[0], 0.5) / quantile(tookMs[1], 0.5)
        trial.note(`${path} ${ratio.toFixed(3)}`)
        if (ratio < 0.9 || ratio > 1.1) trial.wrong(`${path}: the times differ by a factor of ${ratio.toFixed(3)}`)
      }
    },
  },
  {
    id: 'I2',
    beside: true,
    expects:
      'one account × 100 wrong passwords over 2 processes: at most 10 looked at by both together; the same address × 200 honest users: all get in',
    runs: { fast: 1, full: 3 },
    async go(trial) {
      const shops = await openShops({ ...trial.opening, processes: 2, env: { RATE_LIMITS: 'on' } })
      try {
        await trial.repeat(async () => {
          const victim = await shops.makeUser()
          const replies = await eachOf(Array.from({ length: 100 }), 8, (_, index) =>
            shops.call('POST', '/user/login', { body: { userPhone: victim.phone, password: `guess ${index}` } }),
          )
          const looked = count(replies, ({ status }) => status === 401)
          trial.note(`${looked} of 100 guesses were looked at`)
          // One more attempt is allowed every 90 seconds.
          if (looked > 11) trial.wrong(`${looked} guesses were looked at`)
          trial.same('other answers', [...new Set(replies.map(({ status }) => status))].sort(), [401, 429])
          const honest = await shops.makeUsers(200)
          const entered = await eachOf(honest, 8, ({ phone }) =>
            shops.call('POST', '/user/login', { body: { userPhone: phone, password: PASSWORD } }),
          )
          trial.same(
            'honest users who got in',
            count(entered, ({ status }) => status === 200),
            200,
          )
        })
      } finally {
        await shops.close()
      }
    },
  },
  {
    id: 'I3',
    expects: 'a reset token: one of 32 uses at once works; a second, an old, a cut one, and one of another never; older ones die',
    runs: { fast: 5, full: 50 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const person = await shops.makeUser()
        const [first, second] = [await askReset(shops, person), await askReset(shops, person)]
        const use = (token: string, password = 'a brand new password') =>
          shops.call('POST', `/user/reset-password/${token}`, { body: { password } })
        trial.same('cut by one', (await use(second.slice(0, -1))).status, 400)
        trial.same('with one more', (await use(`${second}A`)).status, 400)
        const uses = await Promise.all(Array.from({ length: 32 }, () => use(second)))
        trial.same(
          'of 32 uses at once',
          [count(uses, ({ status }) => status === 200), count(uses, ({ status }) => status === 400)],
          [1, 31],
        )
        trial.same('used again', (await use(second)).status, 400)
        trial.same('the older one', (await use(first)).status, 400)
        trial.same('the session from before', (await shops.call('GET', '/user', { as: person })).status, 401)
        const late = await askReset(shops, person)
        await shops.db.query(`update password_resets set expires_at = now() - interval '1 second' where user_id = $1`, [person.id])
        trial.same('too late', (await use(late)).status, 400)
        trial.same(
          'the old password',
          (await shops.call('POST', '/user/login', { body: { userPhone: person.phone, password: PASSWORD } })).status,
          401,
        )
      })
    },
  },
  {
    id: 'I4',
    expects: 'a reset asked for with Host: evil, X-Forwarded-Host, an absolute address, a port trick: the link is the shop’s own',
    runs: { fast: 1, full: 5 },
    async go(trial) {
      const shops = await trial.shops()
      const address = shops.all[0]?.address as string
      await trial.repeat(async () => {
        for (const [path, headers] of [
          ['/api/user/forget-password', { host: 'evil.example' }],
          ['/api/user/forget-password', { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }],
          ['/api/user/forget-password', { host: 'localhost:80@evil.example' }],
          ['/api/user/forget-password', { forwarded: 'host=evil.example', 'x-original-host': 'evil.example' }],
          ['http://evil.example/api/user/forget-password', {}],
        ] as [string, Record<string, string>][]) {
          const person = await shops.makeUser()
          await sendRaw(address, {
            method: 'POST',
            path,
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify({ email: person.email }),
          })
          const mail = await until(() => mailTo(shops, person.email), 20_000).catch(() => null)
          if (mail === null) continue
          const hosts = [...mail.matchAll(/https?:\/\/([^/\s"<]+)/g)].map((match) => match[1])
          if (hosts.length === 0 || hosts.some((host) => !/^localhost:\d+$/.test(host as string)))
            trial.wrong(`${JSON.stringify(headers)}: the link leads to ${hosts}`)
        }
      })
    },
  },
  {
    id: 'I5',
    expects: 'a reset token and a session token: only their hashes are in the database, Referrer-Policy is no-referrer',
    runs: { fast: 5, full: 20 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const person = await shops.makeUser()
        const token = await askReset(shops, person)
        const { rows } = await shops.db.query<{ text: string }>(
          `select coalesce(string_agg(r::text, ' '), '') || (select string_agg(s::text, ' ') from sessions s where user_id = $1) as text from password_resets r where user_id = $1`,
          [person.id],
        )
        const text = rows[0]?.text ?? ''
        for (const secret of [token, person.token, Buffer.from(token).toString('hex'), Buffer.from(person.token).toString('hex')])
          if (text.includes(secret)) trial.wrong('a token stands in the database')
        if (!text.includes(createHash('sha256').update(person.token).digest('hex'))) trial.wrong('the hash of the session is not there')
        trial.same('policy', (await shops.call('GET', '/product')).headers['referrer-policy'], 'no-referrer')
      })
    },
  },
  {
    id: 'I6',
    expects: 'after signing out, a ban or a new password the token is refused at both processes at once',
    runs: { fast: 10, full: 100 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        for (const [name, end] of [
          ['signed out', (person: Person) => shops.call('POST', '/user/logout', { as: person, body: {} })],
          [
            'banned',
            (person: Person) => shops.call('PUT', `/user/${person.id}/status`, { as: shops.admins[0], body: { status: 'Banned' } }),
          ],
        ] as const) {
          const person = await shops.makeUser()
          await end(person)
          for (const [shop] of shops.all.entries()) trial.same(name, (await shops.call('GET', '/user', { as: person, shop })).status, 401)
        }
      })
    },
  },
  {
    id: 'I8',
    expects: 'session tokens: 256 random bits, never the same, kept as a hash, an admin’s ends after 2 h idle and 12 h in all',
    runs: { fast: 20, full: 10_000 },
    async go(trial) {
      const shops = await trial.shops()
      const person = await shops.makeUser()
      const seen = new Set<string>()
      await eachOf(Array.from({ length: trial.runs }), 4, async () => {
        const { body } = await shops.call<{ token: string }>('POST', '/user/login', {
          body: { userPhone: person.phone, password: PASSWORD },
        })
        if (!/^[A-Za-z0-9_-]{43}$/.test(body.token)) trial.wrong(`${body.token} is no 256 bits`)
        if (seen.has(body.token)) trial.wrong('a token came twice')
        seen.add(body.token)
        trial.did()
      })
      const idle = await shops.makeUser({ level: 'Admin' })
      await shops.db.query(`update sessions set last_used_at = now() - interval '121 minutes' where token_hash = $1`, [
        hashToken(idle.token),
      ])
      trial.same('an idle admin', (await shops.call('GET', '/order/stats', { as: idle })).status, 401)
      const admin = await shops.makeUser({ level: 'Admin' })
      await shops.call('POST', '/user/login', { body: { userPhone: admin.phone, password: PASSWORD } })
      const { rows } = await shops.db.query<{ hours: number }>(
        `select extract(epoch from max(expires_at - created_at))::int / 3600 as hours from sessions where user_id = $1`,
        [admin.id],
      )
      if ((rows[0]?.hours ?? 99) > 12) trial.wrong(`an admin’s session lasts ${rows[0]?.hours} hours`)
    },
  },
  {
    id: 'I9',
    expects: 'redirect= in 60 disguises (//evil, /\\evil, javascript:, /%09/evil, /@evil…): always an address of the shop',
    runs: { fast: 1, full: 1 },
    async go(trial) {
      for (const target of REDIRECTS) {
        const leads = new URL(safeRedirect(target), 'https://shop.example')
        if (leads.origin !== 'https://shop.example') trial.wrong(`${JSON.stringify(target)} leads to ${leads}`)
        trial.did()
      }
    },
  },
  {
    id: 'I10',
    expects: 'one phone, e-mail or name registered 16 times at once, in other cases and spaces: exactly one account',
    runs: { fast: 4, full: 40 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async (run) => {
        const salt = `${[...String(Date.now() + run)].map((digit) => 'abcdefghjk'[Number(digit)]).join('')}`
        const own = (index: number) => `${salt}${'abcdefghjkmnpqst'[index]}`
        const digits = () => `056${String(Math.floor(trial.random() * 1e7)).padStart(7, '0')}`
        const phone = digits()
        const make: ((index: number) => Record<string, string>)[] = [
          (index) => ({ username: own(index), email: `${own(index)}@example.com`, phone }),
          (index) => ({
            username: `e${own(index)}`.slice(0, 30),
            email: index % 2 ? `${salt}@Example.com` : ` ${salt.toUpperCase()}@example.com `,
            phone: digits(),
          }),
          (index) => ({
            username: ['N', 'n'][index % 2] + (index % 3 ? salt : ` ${salt}`),
            email: `n${own(index)}@example.com`,
            phone: digits(),
          }),
        ]
        for (const details of make) {
          const replies = await Promise.all(
            Array.from({ length: 16 }, (_, index) =>
              shops.call('POST', '/user/register', { body: { ...details(index), password: PASSWORD } }),
            ),
          )
          trial.same(
            'accounts',
            count(replies, ({ status }) => status === 200),
            1,
          )
          trial.same('other answers', [...new Set(replies.map(({ status }) => status))].sort(), [200, 409])
        }
      })
    },
  },
  {
    id: 'I11',
    expects:
      'passwords of 8, 64, 128 characters, with spaces and emoji: kept as they are; of 7, 129 and 1 MB, and what others would guess: refused fast',
    runs: { fast: 1, full: 5 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const long = Array.from({ length: 32 }, (_, index) => `${index} goats `).join('')
        const good = ['k3nk3y?!', long.slice(0, 64), long.slice(0, 128), ' spaces at the ends ', '😀🐘🐐🐊🐢🐝🐟🦜', 'pässwörd mit ümlaut']
        const digits = () => `054${String(Math.floor(trial.random() * 1e7)).padStart(7, '0')}`
        const name = () => `p ${crypto.randomUUID().replace(/[^a-f]/g, '')}${crypto.randomUUID().replace(/[^a-f]/g, '')}`.slice(0, 26)
        for (const password of good) {
          const phone = digits()
          const made = await shops.call('POST', '/user/register', {
            body: { username: name(), email: `${crypto.randomUUID()}@example.com`, phone, password },
          })
          trial.same(`register with ${password.slice(0, 20)}`, made.status, 200)
          trial.same('as it is', (await shops.call('POST', '/user/login', { body: { userPhone: phone, password } })).status, 200)
          trial.same(
            'trimmed or cut',
            (await shops.call('POST', '/user/login', { body: { userPhone: phone, password: `${password.trim().slice(0, -1)}` } })).status,
            401,
          )
        }
        for (const password of ['1234567', '12345678', 'Password123', 'dwadi2026', 'x'.repeat(8), long.slice(0, 129), long.repeat(4_000)]) {
          const since = performance.now()
          const { status } = await shops.call('POST', '/user/register', {
            body: { username: name(), email: 'x@example.com', phone: digits(), password },
          })
          if (![400, 413].includes(status)) trial.wrong(`${password.length} characters replied ${status}`)
          trial.within(`${password.length} characters`, performance.now() - since, 500)
        }
      })
    },
  },
  {
    id: 'I12',
    expects: 'a flood of sign-ins (16 at once): purchases meanwhile all succeed, p99 below 1 s',
    runs: { fast: 100, full: 1_000 },
    async go(trial) {
      const shops = await trial.shops()
      const buyer = await shops.makeUser({ pesewas: 100_000_000 })
      let going = true
      let tries = 0
      const flood = Array.from({ length: 16 }, async () => {
        while (going) {
          await shops.call('POST', '/user/login', { body: { userPhone: '0201234567', password: 'not the password' } })
          tries += 1
        }
      })
      const tookMs: number[] = []
      await trial.repeat(async () => {
        const since = performance.now()
        trial.same('a purchase', (await shops.buy(buyer, [shops.line()])).status, 200)
        tookMs.push(performance.now() - since)
      })
      going = false
      await Promise.all(flood)
      const p99 = quantile(tookMs, 0.99)
      trial.note(`${tries} tries meanwhile, p99 of purchases ${p99.toFixed(0)} ms`)
      trial.within('the 99th of 100 purchases', p99, 1_000)
    },
  },
  {
    id: 'I14',
    expects:
      'usernames that look like another (case, dots, 0 for o, 1 for l, rn for m), other alphabets, hidden letters: refused or the same name',
    runs: { fast: 1, full: 5 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const digits = () => `053${String(Math.floor(trial.random() * 1e7)).padStart(7, '0')}`
        const base = `mollie ${[...String(Date.now()).slice(-8)].map((digit) => 'abcdefghjk'[Number(digit)]).join('')}`
        const register = (username: string) =>
          shops.call('POST', '/user/register', {
            body: { username, email: `${crypto.randomUUID()}@example.com`, phone: digits(), password: PASSWORD },
          })
        trial.same('the first', (await register(base)).status, 200)
        for (const twin of [
          base.toUpperCase(),
          base.replace(' ', '.'),
          base.replace(' ', ''),
          base.replace('o', '0'),
          base.replace('ll', '11'),
          base.replace('m', 'rn'),
          ` ${base} `,
        ])
          trial.same(twin, (await register(twin)).status, 409)
        for (const odd of [
          'аdmin',
          'ad\u200bmin',
          '\u202enimda',
          'ａdmin',
          'x'.repeat(10_000),
          '',
          ' ',
          'a',
          '<b>bold</b>',
          "'; drop table users;--",
          'ad\u0000min',
        ])
          trial.same(JSON.stringify(odd.slice(0, 30)), (await register(odd)).status, 400)
        if (foldUsername('k0fi.mensah') !== foldUsername('kofi mensah')) trial.wrong('two spellings of a name differ')
      })
    },
  },
  {
    id: 'I15',
    expects: 'e-mail addresses with CRLF, quotes, plus tags, 320 characters: refused, or one mail to one address',
    runs: { fast: 1, full: 1 },
    async go(trial) {
      const shops = await trial.shops()
      for (const email of [
        'a@b.com\r\nBcc: evil@example.com',
        'a@b.com\nBcc: evil@example.com',
        '"a b"@x.com',
        'a@b.com, evil@example.com',
        'a@b.com;evil@example.com',
        `${'a'.repeat(310)}@example.com`,
        '<a@b.com>',
        'a@b',
        'a@@b.com',
        'a b@c.com',
        'a@b.com%0aBcc:x@y.z',
      ]) {
        const before = linksMailed(shops, '').length
        const { status } = await shops.call('POST', '/user/forget-password', { body: { email } })
        trial.same(JSON.stringify(email.slice(0, 40)), status, 400)
        trial.same('mails', linksMailed(shops, '').length, before)
        trial.did()
      }
      const tagged = await shops.makeUser()
      await shops.db.query('update users set email = $2 where id = $1', [tagged.id, `ama+${tagged.phone}@example.com`])
      await shops.call('POST', '/user/forget-password', { body: { email: `ama+${tagged.phone}@example.com` } })
      const mail = await until(() => mailTo(shops, `ama+${tagged.phone}@example.com`), 20_000).catch(() => null)
      if (mail === null) trial.wrong('a tagged address got no mail')
      trial.did()
    },
  },
  {
    id: 'I13',
    expects: 'credit, MoMo details and levels without a fresh second factor: refused',
    runs: { fast: 0, full: 0 },
    unavailable: () => 'a second factor is not part of the shop yet; an admin’s session ends after 2 h idle and 12 h in all (I8)',
    async go() {},
  },
  {
    id: 'I16',
    expects: 'the list of one’s sessions, and signing out the others',
    runs: { fast: 0, full: 0 },
    unavailable: () => 'the shop has no list of sessions; a new password ends all of them (I3, I6)',
    async go() {},
  },
]

/** Mails with a reset link, without those that confirm a changed password. */
function linksMailed(shops: Shops, email: string) {
  return shops.sandbox.mail.messages().filter(({ to, body }) => to.includes(email) && body.includes('/reset-password/'))
}

function mailTo(shops: Shops, email: string): string | null {
  return shops.sandbox.mail.messages().find(({ to }) => to.includes(email))?.body ?? null
}

async function askReset(shops: Shops, { email }: Person): Promise<string> {
  const before = linksMailed(shops, email).length
  await shops.call('POST', '/user/forget-password', { body: { email } })
  const mails = await until(() => {
    const found = linksMailed(shops, email)
    return found.length > before && found
  }, 20_000)
  const newest = [...mails].sort((one, other) => other.at.localeCompare(one.at))[0]
  return /reset-password\/([A-Za-z0-9_-]+)/.exec(newest?.body ?? '')?.[1] as string
}

const REDIRECTS = [
  '//',
  '/\\',
  '\\/',
  '\\\\',
  '///',
  '/\t/',
  '/\n/',
  '/%09/',
  '/%5c',
  '/%2f',
  'https:',
  'https:/',
  'https://',
  'http:',
  'HTTPS://',
  'javascript:',
  'JaVaScRiPt:',
  ' javascript:',
  '\u0001javascript:',
  'data:text/html,',
  'vbscript:',
  'file:///',
  'blob:',
  '/@',
  '@',
  '.',
  '..//',
  '/..//',
  '/./',
  '/.//',
  '/ /',
  '//\u0000',
  '/\u2028/',
  'x:',
  '://',
  '/;@',
  '/?//',
  '/#//',
  'mailto:',
  'ftp://',
].flatMap((start) => [`${start}evil.example`, `${start}evil.example/store`])
