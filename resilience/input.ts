import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { sendRaw } from '../test/http-client.ts'
import { pick } from '../test/random.ts'
import { allow } from '../test/slowness.ts'
import { until } from '../test/until.ts'
import { pathFor, RULES, type Subject } from './authorisation-rules.ts'
import type { Experiment, Trial } from './experiment.ts'
import { listRoutes } from './list-routes.ts'
import { eachOf, quantile, residentMb } from './measure.ts'
import { openShops, type Person, type Shops } from './shops.ts'

/** J. Input, files, and calls to the outside. */
export const input: Experiment[] = [
  {
    id: 'J1',
    expects: '/proxy and every field with an address in it (127.0.0.1, [::1], decimal, 169.254…, file:, gopher:): a listener gets no hit',
    runs: { fast: 1, full: 5 },
    async go(trial) {
      const shops = await trial.shops()
      let hits = 0
      const canary = createServer((_request, reply) => reply.end('{}'))
      // A connection is enough: what asks for TLS never becomes a request here.
      canary.on('connection', () => {
        hits += 1
      })
      await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
      const { port } = canary.address() as AddressInfo
      const buyer = await shops.makeUser({ pesewas: 1_000_000 })
      const agent = await shops.makeUser({ level: 'Agent' })
      const bought = await shops.buy(buyer, [shops.line()])
      const [order] = bought.body.orders as { reference: string }[]
      const hosts = ['127.0.0.1', '[::1]', 'localhost', '0', '2130706433', '0177.0.0.1', '127.1', '[::ffff:127.0.0.1]']
      const urls = [
        ...hosts.map((host) => `http://${host}:${port}/`),
        `gopher://127.0.0.1:${port}/`,
        'file:///etc/passwd',
        'http://169.254.169.254/',
      ]
      await trial.repeat(async () => {
        for (const url of urls) {
          const { status, text } = await shops.call('POST', '/proxy', {
            as: buyer,
            body: { url, headers: { host: 'x' }, method: 'POST', body: { reference: order?.reference } },
          })
          trial.same('/proxy', [status, text], [200, '{"data":{"status":"pending"}}'])
          for (const [method, path, body] of [
            [
              'POST',
              '/product/create',
              { network: 'MTN', status: 'available', image: url, packages: [{ offer: 'x', priceCustomer: 1, priceAgent: 1 }] },
            ],
            ['PUT', '/extra/notice', { noticeContent: url }],
            ['POST', '/payment', { purpose: 'agent-upgrade', callback_url: url }],
          ] as const)
            await shops.call(method, path, { as: path === '/payment' ? buyer : shops.admins[0], body })
          for (const hook of [url, url.replace(/^http:/, 'https:')]) {
            const { status } = await shops.call('POST', '/webhooks', { as: agent, body: { url: hook, events: ['order.delivered'] } })
            trial.same(`a webhook to ${hook}`, status, 400)
          }
        }
        // As a name that led elsewhere when it was looked at.
        for (const host of hosts) await hookTo(shops, agent, `https://${host}:${port}/`)
      })
      await wait(300)
      trial.same('hits', hits, 0)
      canary.close()
    },
  },
  {
    id: 'J2',
    expects:
      'SQL in every text field and query (quotes, comments, unions, sleeps, %, _, NUL): no 5xx, no delay, nothing found that is not there',
    runs: { fast: 1, full: 10 },
    async go(trial) {
      const shops = await trial.shops()
      const person = await shops.makeUser({ pesewas: 10_000 })
      const agent = await shops.makeUser({ level: 'Agent', pesewas: 10_000 })
      // There must be an order that a wild card would find.
      trial.same('a purchase', (await shops.buy(person, [shops.line()])).status, 200)
      const users = async () => (await shops.db.query<{ total: number }>('select count(*) as total from users')).rows[0]?.total
      const before = await users()
      const lists = (await listRoutes(shops.databaseUrl)).filter(({ method }) => method === 'GET')
      for (let round = 0; round < trial.runs; round++) {
        for (const text of SQL) {
          const query = `search=${encodeURIComponent(text)}`
          const calls: [string, string, Person | undefined, unknown?][] = [
            ['GET', `/order/allorders?${query}`, person],
            ['GET', `/order/allorders?${query}&page=1&pageSize=10`, shops.admins[0]],
            ['GET', `/user?${query}`, shops.admins[0]],
            ['GET', `/recharge?${query}`, shops.admins[0]],
            ['GET', `/admin/actions?${query}`, shops.admins[0]],
            ['GET', `/payment?status=held&${query}`, shops.admins[0]],
            ['GET', `/order/allorders?status=${encodeURIComponent(text)}`, person],
            ['GET', `/export/admin-orders?${query}`, shops.admins[0]],
            ['POST', '/user/login', undefined, { userPhone: text, password: text }],
            ['POST', '/proxy', person, { body: { reference: text } }],
            ['PUT', `/recharge/${encodeURIComponent(text)}/approve`, shops.admins[0], {}],
            ['POST', '/bulk/preview', agent, { text }],
            ['POST', '/bulk-groups', agent, { name: text, lines: [{ name: text, phoneNumber: agent.phone, network: 'MTN', offer: text }] }],
            ['POST', '/api-keys', agent, { name: text, scopes: ['balance:read'] }],
            ['POST', `/shops/${encodeURIComponent(text)}/payment`, undefined, { phone: agent.phone, items: [] }],
            ['POST', '/refund-codes', person, { code: text }],
            ...lists.flatMap(({ path }): [string, string, Person | undefined][] => {
              const own = encodeURIComponent(text)
              const named = path.replace(/^\/api/, '').replaceAll(/:\w+/g, own)
              const asked = `${named}?search=${own}&status=${own}&cursor=${own}&before=${own}&day=${own}&from=${own}`
              return [shops.admins[0], agent].flatMap((as) =>
                [named, asked].map((one): [string, string, Person | undefined] => ['GET', one, as]),
              )
            }),
          ]
          for (const [method, path, as, body] of calls) {
            const since = performance.now()
            const { status } = await shops.call(method, path, { as, body })
            if (status >= 500 || status === 0) trial.wrong(`${method} ${path} replied ${status}`)
            if (/sleep/.test(text)) trial.within(`${method} ${path} with a sleep in it`, performance.now() - since, 4_000)
            trial.did()
          }
        }
      }
      trial.same('users', await users(), before)
      const found = await shops.call<unknown[]>('GET', `/order/allorders?search=${encodeURIComponent('%')}`, { as: person })
      trial.same('orders that have % in them', found.body, [])
    },
  },
  {
    id: 'J4',
    expects:
      'every route, and every error: CSP without inline script, nosniff, frame-ancestors none, no-referrer, no-store on what is private',
    runs: { fast: 1, full: 1 },
    async go(trial) {
      const shops = await trial.shops()
      const address = shops.all[0]?.address as string
      const routes = await listRoutes(shops.databaseUrl)
      const paths = routes.map(({ method, path }) => ({ method, path: pathFor(path, EMPTY) }))
      for (const { method, path } of [
        ...paths,
        { method: 'GET', path: '/healthz' },
        { method: 'GET', path: '/no-such' },
        { method: 'GET', path: '/api/%' },
        { method: 'GET', path: '/store' },
      ]) {
        const { headers, status } = await sendRaw(address, {
          method,
          path,
          headers: { 'content-type': 'application/json' },
          ...(['GET', 'HEAD'].includes(method) ? {} : { body: '{}' }),
        })
        const csp = String(headers['content-security-policy'] ?? '')
        const name = `${method} ${path} (${status})`
        if (!/script-src 'self'|default-src 'none'/.test(csp) || /script-src[^;]*unsafe/.test(csp)) trial.wrong(`${name}: CSP is ${csp}`)
        for (const part of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
          if (!csp.includes(part)) trial.wrong(`${name} lacks ${part}`)
        trial.same(`${name} nosniff`, headers['x-content-type-options'], 'nosniff')
        trial.same(`${name} referrer`, headers['referrer-policy'], 'no-referrer')
        if (
          path.startsWith('/api/') &&
          !['/api/product', '/api/shop'].includes(path) &&
          !String(headers['cache-control']).includes('no-store') &&
          status < 500 &&
          path !== '/api/%'
        )
          if (!/no-cache|max-age/.test(String(headers['cache-control'])))
            trial.wrong(`${name}: cache-control is ${headers['cache-control']}`)
        trial.did()
      }
    },
  },
  {
    id: 'J5',
    expects:
      'pictures that are none (SVG with a script, HTML, PDF, EXE renamed) refused; a PNG or GIF with code after it kept as pixels alone',
    runs: { fast: 1, full: 5 },
    async go(trial) {
      const shops = await trial.shops()
      const png = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
      const gif = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } })
        .gif()
        .toBuffer()
      await trial.repeat(async () => {
        // One that a reader of SVG would draw.
        const svg =
          '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><script>alert(1)</script><rect width="40" height="40" fill="red"/></svg>'
        const refused: [string, string, Buffer | string][] = [
          ['an SVG with a script', 'image/svg+xml', svg],
          ['an SVG called PNG', 'image/png', svg],
          ['HTML', 'image/png', '<html><script>alert(1)</script></html>'],
          ['a PDF', 'image/jpeg', '%PDF-1.7\n%âãÏÓ'],
          ['a program', 'image/gif', 'MZ\x90\x00\x03'],
          ['nothing', 'image/png', ''],
          ['half a PNG', 'image/png', png.subarray(0, png.length / 2)],
          ['another type', 'text/html', png],
        ]
        for (const [name, type, bytes] of refused) trial.same(name, (await upload(shops, type, bytes)).status, 400)
        for (const [name, type, bytes] of [
          ['a PNG with HTML after it', 'image/png', Buffer.concat([png, Buffer.from('<script>canary</script>')])],
          ['a GIF with a script after it', 'image/gif', Buffer.concat([gif, Buffer.from('/*<script>canary</script>*/')])],
        ] as const) {
          const { status, body } = await upload(shops, type, bytes)
          if (status === 400) continue
          trial.same(name, status, 200)
          const served = await fetch(`${shops.all[0]?.address}${body.product?.image}`)
          const text = Buffer.from(await served.arrayBuffer()).toString('latin1')
          trial.same(`${name}: served as`, [served.headers.get('content-type'), text.includes('canary')], ['image/webp', false])
        }
      })
    },
  },
  {
    id: 'J6',
    expects: 'a picture of 102,400 bytes is taken, of 102,401 refused; padding tricks, a charset and another type do not change it',
    runs: { fast: 1, full: 3 },
    async go(trial) {
      const shops = await trial.shops()
      const png = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'blue' } })
        .png()
        .toBuffer()
      const sized = (bytes: number) => padPng(png, bytes)
      await trial.repeat(async () => {
        trial.same('102,400', (await upload(shops, 'image/png', sized(102_400))).status, 200)
        trial.same('102,401', (await upload(shops, 'image/png', sized(102_401))).status, 400)
        for (const uri of [
          `data:image/png;charset=utf-8;base64,${sized(102_401).toString('base64')}`,
          `data:image/png;base64,${sized(102_401).toString('base64')}====`,
          `data:image/png;base64, ${sized(102_401).toString('base64')}`,
        ]) {
          const { status } = await uploadUri(shops, uri)
          if (![400, 413].includes(status)) trial.wrong(`a padded picture replied ${status}`)
        }
      })
    },
  },
  {
    id: 'J7',
    expects: 'a PNG of 30,000 × 30,000 in 100 KB: refused in less than 1 s, and the process does not grow by more than 100 MB',
    runs: { fast: 3, full: 20 },
    unavailable: () => (process.platform === 'linux' ? null : 'it reads /proc, which is on Linux alone'),
    async go(trial) {
      const shops = await trial.shops()
      const pid = shops.all[0]?.program.process.pid as number
      const bomb = pixelBomb(30_000)
      const before = residentMb(pid)
      await trial.repeat(async () => {
        const since = performance.now()
        trial.same('status', (await upload(shops, 'image/png', bomb, 0)).status, 400)
        trial.within('refusing it', performance.now() - since, 1_000)
      })
      const grown = residentMb(pid) - before
      trial.note(`${bomb.length} bytes, ${grown.toFixed(0)} MB more`)
      if (grown > 100) trial.wrong(`the process grew by ${grown.toFixed(0)} MB`)
    },
  },
  {
    id: 'J8',
    expects: 'a JPEG with a place in its EXIF: nothing of it is kept',
    runs: { fast: 1, full: 5 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const jpeg = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'green' } })
          .withExif({ IFD0: { Copyright: 'canary-owner' }, IFD3: { GPSLatitude: '5/1 36/1 0/1', GPSLatitudeRef: 'N' } })
          .jpeg()
          .toBuffer()
        if (!jpeg.includes('canary-owner')) trial.wrong('the experiment’s own picture has no EXIF')
        const { body } = await upload(shops, 'image/jpeg', jpeg)
        const served = Buffer.from(await (await fetch(`${shops.all[0]?.address}${body.product?.image}`)).arrayBuffer())
        const { exif } = await sharp(served).metadata()
        trial.same('EXIF', [exif, served.includes('canary-owner')], [undefined, false])
      })
    },
  },
  {
    id: 'J9',
    beside: true,
    expects: '500 products with a picture of 100 KB each: the list is sent in less than 100 KB, pictures are kept for a year',
    runs: { fast: 500, full: 500 },
    async go(trial) {
      const shops = await openShops({ ...trial.opening, processes: 1 })
      try {
        await shops.db.query(
          `with pictures as (insert into images (hash, content_type, bytes, created_at)
             select encode(sha256(n::text::bytea), 'hex'), 'image/webp', decode(repeat(md5(n::text), 6400), 'hex'), now()
             from generate_series(1, $1::int) n returning hash),
           made as (insert into products (network, image_hash, status, created_at) select 'MTN', hash, 'available', now() from pictures returning id)
           insert into packages (product_id, position, offer, price_customer_pesewas, price_agent_pesewas) select id, 1, '1GB', 700, 600 from made`,
          [trial.runs],
        )
        const { text, body } = await shops.call<{ image: string }[]>('GET', '/product')
        trial.same('products', body.length, trial.runs + 7)
        trial.did(trial.runs)
        const { headers } = await sendRaw(shops.all[0]?.address as string, { path: '/api/product', headers: { 'accept-encoding': 'br' } })
        const sent = Number(headers['content-length'])
        trial.note(`${text.length} bytes of list, ${sent} of them on the way`)
        if (text.includes('base64') || !(sent < 100_000)) trial.wrong(`the list takes ${sent} bytes`)
        const own = body.filter(({ image }) => /^\/images\/[0-9a-f]{64}/.test(image))
        trial.same('addresses', own.length, body.length)
        if (own.length === 0) return
        const picture = await fetch(`${shops.all[0]?.address}${own[0]?.image}`)
        const kept = picture.headers.get('cache-control') ?? ''
        if (!/immutable/.test(kept) || !/max-age=31536000/.test(kept)) trial.wrong(`a picture is kept as ${kept}`)
      } finally {
        await shops.close()
      }
    },
  },
  {
    id: 'J10',
    expects: 'exports with =cmd, +1, -1, @SUM, tab, CR, quotes, full-width signs in names: no cell that a spreadsheet would run',
    runs: { fast: 1, full: 5 },
    async go(trial) {
      const shops = await trial.shops()
      await trial.repeat(async () => {
        const formulas = ['=cmd|calc', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '"=1"', '=HYPERLINK("x")']
        for (const [index, offer] of formulas.entries()) {
          await shops.db.query(
            `insert into packages (product_id, position, offer, price_customer_pesewas, price_agent_pesewas) select $1, 50 + $3, btrim($2), 700, 600 on conflict do nothing`,
            [await spare(shops), offer.trim() === '' ? '=x' : offer, index],
          )
        }
        const { text } = await shops.call('GET', '/export/admin-products', { as: shops.admins[0] })
        for (const cell of cellsOf(text))
          if (/^[=+@\t\r\n＝＋＠]/.test(cell) || (/^-/.test(cell) && !/^-\d+(\.\d+)?$/.test(cell)))
            trial.wrong(`a cell begins with a formula: ${JSON.stringify(cell)}`)
        if (!text.includes('cmd|calc')) trial.wrong('the formula is not in the export at all')
      })
    },
  },
  {
    id: 'J11',
    expects:
      'bodies of 2 MiB, 100,000 levels, 100,000 keys, doubled keys, text/plain, gzip, a wrong length: 4xx within 500 ms, and the shop goes on',
    runs: { fast: 3, full: 30 },
    async go(trial) {
      const shops = await trial.shops()
      const address = shops.all[0]?.address as string
      const person = await shops.makeUser({ pesewas: 10_000 })
      const bodies: [string, Buffer | string, Record<string, string>?][] = [
        ['2 MiB', JSON.stringify({ x: 'x'.repeat(2 * 1024 * 1024) })],
        ['deep', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
        ['deep objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
        ['many keys', JSON.stringify(Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`k${index}`, 1])))],
        ['doubled keys', '{"amount":50,"amount":-50}'],
        ['proto', '{"__proto__":{"amount":50}}'],
        ['constructor', '{"constructor":{"prototype":{"amount":50}}}'],
        ['text/plain', '{"amount":60}', { 'content-type': 'text/plain' }],
        ['a form', 'amount=60', { 'content-type': 'application/x-www-form-urlencoded' }],
        ['no type', '{"amount":60}', { 'content-type': '' }],
        ['gzip', gzipSync('{"amount":60}'), { 'content-encoding': 'gzip' }],
        ['a gzip bomb', gzipSync(Buffer.alloc(20 * 1024 * 1024)), { 'content-encoding': 'gzip' }],
        ['UTF-16', Buffer.from('{"amount":60}', 'utf16le'), { 'content-type': 'application/json; charset=utf-16' }],
        ['half', '{"amount":'],
        ['not JSON', 'amount'],
        ['an array', '[1,2,3]'],
        ['null', 'null'],
      ]
      await trial.repeat(async () => {
        for (const [name, body, headers = {}] of bodies) {
          const since = performance.now()
          const { status } = await sendRaw(address, {
            method: 'POST',
            path: '/api/recharge',
            headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json', ...headers },
            body,
          })
          // A body that is too large may be cut off while it is still being sent.
          if (!(status >= 400 && status < 500) && status !== 0) trial.wrong(`${name} replied ${status}`)
          if (performance.now() - since > 500) trial.note(`${name} took ${(performance.now() - since).toFixed(0)} ms`)
        }
        trial.same('afterwards', (await shops.call('GET', '/product', { shop: 0 })).status, 200)
      })
    },
  },
  {
    id: 'J12',
    beside: true,
    expects: 'sockets that trickle headers or bodies: all closed within 25 s, honest calls meanwhile below 500 ms (p95)',
    runs: { fast: 200, full: 1_000 },
    async go(trial) {
      const shops = await openShops({ ...trial.opening, processes: 1 })
      try {
        const { port } = new URL(shops.all[0]?.address as string)
        let open = 0
        const sockets = Array.from({ length: trial.runs }, (_, index) => {
          const socket = connect(Number(port), '127.0.0.1', () => {
            open += 1
            socket.write(
              index % 2 === 0
                ? 'GET /api/product HTTP/1.1\r\nHost: x\r\n'
                : 'POST /api/user/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
            )
          })
          const drip = setInterval(() => socket.writable && socket.write(index % 2 === 0 ? 'X-a: b\r\n' : ' '), 3_000)
          socket.resume()
          socket.on('error', () => undefined)
          socket.on('close', () => {
            clearInterval(drip)
            open -= 1
          })
          return socket
        })
        const since = performance.now()
        const tookMs: number[] = []
        while (performance.now() - since < allow(25_000) && (open > 0 || tookMs.length < 10)) {
          const asked = performance.now()
          const { status } = await shops.call('GET', '/product')
          if (status !== 200) trial.wrong(`an honest call got ${status}`)
          tookMs.push(performance.now() - asked)
          await wait(100)
        }
        trial.same('sockets still open after 25 s', open, 0)
        trial.note(`closed after ${((performance.now() - since) / 1000).toFixed(0)} s, honest p95 ${quantile(tookMs, 0.95).toFixed(0)} ms`)
        trial.within('the 95th of 100 honest calls', quantile(tookMs, 0.95), 500)
        for (const socket of sockets) socket.destroy()
        trial.did(trial.runs)
      } finally {
        await shops.close()
      }
    },
  },
  {
    id: 'J13',
    expects: 'searches with 100 characters made to be slow, and with 10 kB: answered or refused in less than 500 ms',
    runs: { fast: 1, full: 10 },
    async go(trial) {
      const shops = await trial.shops()
      for (let round = 0; round < trial.runs; round++) {
        for (const search of [
          'a'.repeat(100),
          'a'.repeat(10_000),
          '%'.repeat(100),
          '_%'.repeat(50),
          '\\'.repeat(100),
          '(a+)+$'.repeat(16),
          ' '.repeat(100),
          `${'a'.repeat(99)}!`,
        ]) {
          for (const path of ['/order/allorders', '/user', '/recharge', '/admin/actions']) {
            const since = performance.now()
            const { status } = await shops.call('GET', `${path}?search=${encodeURIComponent(search)}`, { as: shops.admins[0] })
            if (![200, 400].includes(status)) trial.wrong(`${path} replied ${status}`)
            trial.within(`${path} for ${search.slice(0, 12)}…`, performance.now() - since, 500)
            trial.did()
          }
        }
      }
    },
  },
  {
    id: 'J14',
    expects: 'page=1&page=2, search[]=x, a[b]=, __proto__[x]=, page=1e3, page=-1: refused or without effect, never 5xx',
    runs: { fast: 1, full: 5 },
    async go(trial) {
      const shops = await trial.shops()
      for (let round = 0; round < trial.runs; round++) {
        for (const query of [
          'page=1&page=2',
          'search=a&search=b',
          'search[]=x',
          'search[a]=x',
          '__proto__[x]=1',
          'constructor[prototype][x]=1',
          'page=1e3',
          'page=-1',
          'page=0',
          'page=NaN',
          'page=1.5',
          'page=99999999999',
          'pageSize=1000000',
          'pageSize=0',
          'page=',
          'status=',
          'status=pending&status=rejected',
          '%',
          '&&&=',
          'page=%00',
        ]) {
          for (const path of ['/order/allorders', '/user', '/recharge', '/admin/actions']) {
            const { status } = await shops.call('GET', `${path}?${query}`, { as: shops.admins[0] })
            if (![200, 400].includes(status)) trial.wrong(`${path}?${query} replied ${status}`)
            trial.did()
          }
        }
      }
      if (({} as { x?: unknown }).x !== undefined) trial.wrong('a prototype was changed')
    },
  },
  {
    id: 'J15',
    beside: true,
    expects: 'a process that logs everything, used in every way: no password, token, key, signature or CRLF of a customer in its log',
    runs: { fast: 1, full: 3 },
    async go(trial) {
      const shops = await openShops({ ...trial.opening, processes: 1, env: { LOG_LEVEL: 'trace' } })
      try {
        await trial.repeat(async () => {
          const person = await shops.makeUser({ pesewas: 10_000 })
          const password = 'canary-password-1'
          const phone = `053${String(Math.floor(trial.random() * 1e7)).padStart(7, '0')}`
          await shops.call('POST', '/user/register', {
            body: {
              username: `log ${crypto.randomUUID().replace(/[^a-f]/g, '')}`,
              email: `${crypto.randomUUID()}@example.com`,
              phone,
              password,
            },
          })
          const signedIn = await shops.call<{ token: string }>('POST', '/user/login', { body: { userPhone: phone, password } })
          await shops.call('POST', '/user/login', { body: { userPhone: phone, password: 'canary-password-2' } })
          await shops.buy(person, [shops.line()])
          await shops.call('POST', '/user/forget-password', { body: { email: person.email } })
          await shops.call('POST', `/user/reset-password/${'canarytoken'.repeat(4)}`, { body: { password: 'canary-password-3' } })
          await shops.call('GET', `/order/allorders?search=${encodeURIComponent('canary\r\nINJECTED \u001b[31mred')}`, { as: person })
          await sendRaw(shops.all[0]?.address as string, {
            method: 'POST',
            path: '/api/payment/webhook',
            headers: { 'x-paystack-signature': 'canary-signature' },
            body: '{}',
          })
          const { body } = await shops.call<{ reference: string }>('POST', '/payment', { as: person, body: { purpose: 'agent-upgrade' } })
          shops.card.addFault({ call: 'verify', kind: 'error', reference: body.reference })
          await shops.call('POST', `/payment/${body.reference}/confirm`, { as: person, body: {} })
          await wait(300)
          const log = shops.all[0]?.program.output() as string
          if (log.length < 500) trial.wrong('it did not log')
          for (const secret of [
            'canary-password',
            signedIn.body.token,
            person.token,
            'canarytoken',
            'canary-signature',
            shops.card.secretKey,
            '$argon2',
          ])
            if (log.includes(secret)) trial.wrong(`the log holds ${secret.slice(0, 16)}`)
          if (/^INJECTED/m.test(log) || log.includes('\u001b[31mred')) trial.wrong('a customer wrote a line of the log')
        })
      } finally {
        await shops.close()
      }
    },
  },
  {
    id: 'J16',
    expects: '200 kinds of error: a sentence and a code, no stack, SQL, path or table in any',
    runs: { fast: 200, full: 2_000 },
    async go(trial) {
      const shops = await trial.shops()
      const person = await shops.makeUser()
      // One of its own, since it may sign out.
      const admin = await shops.makeUser({ level: 'Admin' })
      const address = shops.all[0]?.address as string
      const routes = (await listRoutes(shops.databaseUrl)).filter(({ method }) => method !== 'HEAD')
      await trial.repeat(async () => {
        const { method, path } = pick(routes, trial.random)
        const body = pick(
          ['{}', '[]', 'null', '{"a":', '"x"', '{"items":[{}]}', '{"amount":"x"}', '{"newOrder":{}}', '\u0000', '{"search":"\\u0000"}'],
          trial.random,
        )
        const reply = await sendRaw(address, {
          method,
          path: `${pathFor(path, EMPTY)}${pick(['', '?page=x', '?search=%00', '?%', '/..', '%'], trial.random)}`,
          headers: { authorization: `Bearer ${pick([person, admin], trial.random).token}`, 'content-type': 'application/json' },
          ...(method === 'GET' ? {} : { body }),
        })
        if (reply.status < 400) return
        if (reply.status >= 500) trial.wrong(`${method} ${path} replied ${reply.status}: ${reply.text}`)
        const { message, code } = reply.body
        if (!message || !code) trial.wrong(`${method} ${path}: ${reply.text}`)
        if (/at .+\.(ts|js):|node_modules|select |insert |postgres|\/server\/|users_|pg_|stack/i.test(reply.text))
          trial.wrong(`${method} ${path} tells too much: ${reply.text}`)
      })
    },
  },
  {
    id: 'J17',
    expects: 'every route with generated bodies (wrong types, huge, nested, halves of right ones): no 5xx, no hang',
    runs: { fast: 2_000, full: 100_000 },
    async go(trial) {
      const shops = await trial.shops()
      const [person, admin] = [await shops.makeUser({ pesewas: 1_000 }), await shops.makeUser({ level: 'Admin' })]
      const routes = (await listRoutes(shops.databaseUrl)).filter(
        ({ method, path }) => !['HEAD', 'GET'].includes(method) && !/logout|status|level|momo|notice|settings/.test(path),
      )
      await eachOf(Array.from({ length: trial.runs }), 16, async () => {
        const { method, path } = pick(routes, trial.random)
        const right = RULES[`${method} ${path}`]?.body?.(EMPTY) ?? {}
        const body = JSON.stringify(spoil(right, trial, 0))
        const { status } = await shops.call(method, pathFor(path, EMPTY).replace(/^\/api/, ''), {
          as: trial.random() < 0.5 ? person : admin,
          body: body.slice(0, 60_000),
          headers: { 'idempotency-key': crypto.randomUUID() },
        })
        // 502 says that a service outside failed; it is told so by a simulator that refused an odd request.
        if (status === 0 || (status >= 500 && status !== 502)) trial.wrong(`${method} ${path} replied ${status} to ${body.slice(0, 200)}`)
        trial.did()
      })
    },
  },
  {
    id: 'J18',
    expects: 'requests of two lengths (CL.TE, TE.CL, TE.TE, doubled lengths, a space before the colon): refused, or one answer alone',
    runs: { fast: 1, full: 5 },
    async go(trial) {
      const shops = await trial.shops()
      const { port } = new URL(shops.all[0]?.address as string)
      const smuggled = 'GET /api/shop HTTP/1.1\r\nHost: x\r\n\r\n'
      const probes: [string, string][] = [
        [
          'CL.TE',
          `POST /api/user/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${smuggled.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
        ],
        [
          'TE.CL',
          `POST /api/user/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\n${smuggled}\r\n0\r\n\r\n`,
        ],
        [
          'TE.TE',
          `POST /api/user/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n${smuggled}`,
        ],
        [
          'two lengths',
          `POST /api/user/login HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
        ],
        ['a space', `POST /api/user/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\nContent-Length: 0\r\n\r\n${smuggled}`],
        ['a bare LF', `POST /api/user/login HTTP/1.1\nHost: x\nContent-Length: 0\n\n${smuggled}`],
        ['a minus', `POST /api/user/login HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n${smuggled}`],
      ]
      await trial.repeat(async () => {
        for (const [name, bytes] of probes) {
          const answer = await new Promise<string>((resolve) => {
            let text = ''
            const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes))
            socket.on('data', (chunk) => {
              text += chunk.toString('latin1')
            })
            socket.on('error', () => undefined)
            socket.on('close', () => resolve(text))
            setTimeout(() => socket.destroy(), 1_000)
          })
          if (/HTTP\/1\.1 200[\s\S]*"tagline"/.test(answer)) trial.wrong(`${name}: the smuggled request was answered`)
        }
      })
    },
  },
  {
    id: 'J19',
    expects: 'other origins (null, suffix and prefix tricks, another port): no Access-Control header, so a browser shows them nothing',
    runs: { fast: 1, full: 1 },
    async go(trial) {
      const shops = await trial.shops()
      const { host } = new URL(shops.all[0]?.address as string)
      for (const origin of [
        'null',
        'http://evil.example',
        `http://${host}.evil.example`,
        `http://evil-${host}`,
        'http://localhost',
        'https://localhost:3000',
        'file://',
        'http://127.0.0.1:1',
        `https://${host}`,
        'chrome-extension://x',
        'http://shop.test',
        '*',
      ]) {
        for (const method of ['GET', 'OPTIONS', 'POST']) {
          const headers = { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization' }
          const reply = await fetch(`${shops.all[0]?.address}/api/product`, { method, headers })
          const told = [...reply.headers.keys()].filter((name) => name.startsWith('access-control'))
          trial.same(`${method} from ${origin}`, told, [])
          trial.did()
        }
      }
    },
  },
]

/** An endpoint that leads to an address although the shop would refuse it, and an event that is tried there. */
async function hookTo(shops: Shops, agent: Person, url: string) {
  const body = { url: 'https://example.com/hooks', events: ['order.delivered'] }
  const { body: made } = await shops.call<{ endpoint: { _id: string } }>('POST', '/webhooks', { as: agent, body })
  const id = made.endpoint._id
  await shops.db.query('update webhook_endpoints set url = $2 where id = $1', [id, url])
  const { status, text } = await shops.call('POST', `/webhooks/${id}/test`, { as: agent, body: {} })
  if (status !== 200) throw new Error(`a test event: ${status} ${text}`)
  await until(async () => {
    const { rows } = await shops.db.query('select from webhook_deliveries where endpoint_id = $1 and attempts > 0', [id])
    return rows.length > 0
  })
  await shops.call('DELETE', `/webhooks/${id}`, { as: agent })
}

const EMPTY: Subject = {
  customer: '00000000-0000-4000-8000-000000000000',
  order: '00000000-0000-4000-8000-000000000001',
  recharge: '10000001',
  payment: 'AAAAAAAAAAAAAAAAAAAA',
  product: '00000000-0000-4000-8000-000000000002',
  reference: 'BBBBBBBBBBBBBBBBBBBB',
  phone: '0551234567',
}

const SQL = [
  "'",
  "''",
  "' or '1'='1",
  "'; drop table users; --",
  "' union select password_hash from users --",
  "'||pg_sleep(5)--",
  '1; select pg_sleep(5)',
  '\\',
  '%',
  '_',
  '%%%',
  '$1',
  '$$',
  "\\'; --",
  '\u0000',
  "') or true --",
  '"',
  '/*',
  '*/',
  'null',
  '１',
  "a' and (select 1 from pg_sleep(5)) is null --",
]

type Uploaded = { product?: { _id: string; image: string } }

function upload(shops: Shops, type: string, bytes: Buffer | string, shop?: number) {
  return uploadUri(shops, `data:${type};base64,${Buffer.from(bytes as Buffer).toString('base64')}`, shop)
}

function uploadUri(shops: Shops, image: string, shop?: number) {
  const body = { network: 'MTN', status: 'out of stock', image, packages: [{ offer: 'x', priceCustomer: 1, priceAgent: 1 }] }
  return shops.call<Uploaded>('POST', '/product/create', { as: shops.admins[0], body, ...(shop === undefined ? {} : { shop }) })
}

/** The same picture with as many bytes of a comment as it takes. */
function padPng(png: Buffer, bytes: number): Buffer {
  const end = png.subarray(-12)
  const data = Buffer.alloc(bytes - png.length - 12, 0x20)
  data.write('comment\0')
  return Buffer.concat([png.subarray(0, -12), pngChunk('tEXt', data), end])
}

function pixelBomb(side: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const row = Math.ceil(side / 8) + 1
  const pixels = deflateSync(Buffer.alloc(row * side), { level: 9 })
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', pixels.subarray(0, 100_000)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, tail])
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

async function spare(shops: Shops): Promise<string> {
  const { rows } = await shops.db.query<{ id: string }>(
    `insert into products (network, image_hash, status, created_at) select network, image_hash, 'out of stock', now() from products limit 1 returning id`,
  )
  return rows[0]?.id as string
}

/** The cells of a CSV text, quotes undone. */
function cellsOf(text: string): string[] {
  return [...text.replace(/^\ufeff/, '').matchAll(/(?:^|,|\r?\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)].map((match) =>
    (match[1] ?? match[2] ?? '').replaceAll('""', '"'),
  )
}

const STRANGE: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  'x',
  'x'.repeat(5_000),
  [],
  {},
  [[[[]]]],
  '\u0000',
  '\ud800',
  '٥',
  { toString: 1 },
  { length: 5 },
  ['x'],
  '2026-13-45',
  '00000000-0000-0000-0000-000000000000',
  2 ** 53,
]

/** A right value with some of it replaced by what does not belong there. */
function spoil(value: unknown, trial: Trial, depth: number): unknown {
  if (depth > 6 || trial.random() < 0.25) return pick(STRANGE, trial.random)
  if (Array.isArray(value)) return trial.random() < 0.1 ? Array(150).fill(value[0]) : value.map((one) => spoil(one, trial, depth + 1))
  if (value === null || typeof value !== 'object') return trial.random() < 0.4 ? pick(STRANGE, trial.random) : value
  const entries = Object.entries(value).filter(() => trial.random() < 0.9)
  if (trial.random() < 0.2) entries.push([pick(['__proto__x', 'extra', 'isAdmin', ''], trial.random), pick(STRANGE, trial.random)])
  return Object.fromEntries(entries.map(([name, inner]) => [name, spoil(inner, trial, depth + 1)]))
}
