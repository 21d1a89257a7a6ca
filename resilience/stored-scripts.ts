import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '../test/until.ts'
import { type BrowserShop, browserMissing, openBrowserShop, openStore } from './browser.ts'
import type { Experiment, Trial } from './experiment.ts'
import { openOwnDatabase } from './own-database.ts'

/** J3. Text that users have stored must stay text in an admin's browser, with the content security policy and without. */
export const storedScripts: Experiment[] = [
  {
    id: 'J3',
    beside: true,
    expects:
      'scripts in 24 disguises as notice, MoMo name, user, offer, receiver, audit note, search and address, opened by admin and customer in Chromium with CSP on and off: nothing runs, nothing is asked for, no policy has to step in',
    runs: { fast: 1, full: 1 },
    unavailable: browserMissing,
    async go(trial) {
      const shop = await openBrowserShop()
      try {
        await sweep(trial, shop)
      } finally {
        await shop.close()
      }
    },
  },
]

/** Scripts that reveal themselves in three ways: a mark on the page, a dialog, and a request to our address. */
function disguises(canary: string): string[] {
  const run = `window.__ran=1;fetch('${canary}/ran');alert(1)`
  return [
    `<script>${run}</script>`,
    `</script><script>${run}</script>`,
    `<img src=x onerror="${run}">`,
    `<img src="${canary}/img">`,
    `<svg onload="${run}">`,
    `<svg><script>${run}</script></svg>`,
    `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
    `<iframe src="javascript:${run}"></iframe>`,
    `<a href="javascript:${run}">press</a>`,
    `javascript:${run}`,
    `"><img src=x onerror="${run}">`,
    `' onmouseover='${run}' x='`,
    `" autofocus onfocus="${run}" x="`,
    `<details open ontoggle="${run}">`,
    `<body onload="${run}">`,
    `<input autofocus onfocus="${run}">`,
    `<style>@import '${canary}/css';</style>`,
    `<link rel=stylesheet href="${canary}/link">`,
    `<meta http-equiv=refresh content="0;url=${canary}/meta">`,
    `<math><mtext></table><img src=x onerror="${run}">`,
    `<noscript><p title="</noscript><img src=x onerror='${run}'>">`,
    `{{constructor.constructor('${run}')()}}`,
    `\${${run}}`,
    `&lt;script&gt;${run}&lt;/script&gt;`,
  ]
}

const SCREENS = {
  admin: ['/admin/stats', '/admin/orders', '/admin/finance', '/admin/products', '/admin/activity', '/info', '/store'],
  customer: ['/', '/store', '/user/history', '/user/finance', '/cart'],
}

/** Pages that must show some of it as plain text. */
const SHOWN = {
  admin: ['/admin/stats', '/admin/orders', '/admin/products', '/admin/activity', '/info'],
  customer: ['/user/history'],
}

async function sweep(trial: Trial, shop: BrowserShop) {
  const hits: string[] = []
  const canary = createServer((request, reply) => {
    hits.push(String(request.url))
    reply.setHeader('access-control-allow-origin', '*').end('x')
  })
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
  const scripts = disguises(`http://127.0.0.1:${(canary.address() as AddressInfo).port}`)
  const found = { dialogs: 0, ran: 0, policy: [] as string[] }
  try {
    const customer = await shop.makeCustomer(100)
    const stored = await leaveEverywhere(shop, scripts, customer._id)
    trial.note(`${stored} texts left`)
    for (const bypassCSP of [false, true]) {
      for (const [who, screens] of Object.entries(SCREENS)) {
        const signedIn =
          who === 'customer'
            ? customer
            : await shop.call<{ token: string }>('POST', '/user/login', { body: { userPhone: '0200000000', password: 'a good password' } })
        const page = await shop.pageFor(signedIn, { bypassCSP })
        page.on('dialog', (dialog) => {
          found.dialogs += 1
          void dialog.dismiss()
        })
        page.on('console', (message) => {
          if (/content security policy/i.test(message.text())) found.policy.push(message.text().slice(0, 200))
        })
        const look = async (what: string) => {
          await page.waitForTimeout(350)
          if ((await page.evaluate('window.__ran').catch(() => undefined)) !== undefined) {
            found.ran += 1
            trial.wrong(`a script ran: ${what}${bypassCSP ? ', without the policy' : ''}`)
          }
          trial.did()
        }
        const shows: string[] = []
        for (const path of screens) {
          if (path === '/store') await openStore(page)
          else await page.goto(path)
          const isHere = await page
            .getByRole('banner')
            .waitFor({ timeout: 10_000 })
            .then(
              () => true,
              () => false,
            )
          if (!isHere) trial.wrong(`${who} at ${path} was led away to ${page.url()}`)
          await look(`${who} at ${path}`)
          if (SHOWN[who as 'admin'].includes(path)) {
            // Only plain text shows these letters; a script would not be readable.
            const isShown = async () => (await page.getByRole('main').textContent())?.includes('alert(1)') || null
            if (await until(isShown, 10_000).catch(() => false)) shows.push(path)
          }
          await page
            .getByRole('main')
            .hover()
            .catch(() => undefined)
        }
        // Otherwise nothing was tried.
        trial.same(`screens that show ${who === 'admin' ? 'an admin' : 'a customer'} what was left`, shows, SHOWN[who as 'admin'])
        for (const script of scripts.filter((_, index) => index % 3 === 0)) {
          await page.goto(
            `/store?search=${encodeURIComponent(script)}&redirect=${encodeURIComponent(script)}#${encodeURIComponent(script)}`,
          )
          await look(`the address with ${script}`)
          await page.goto(`/login?redirect=${encodeURIComponent(script)}`)
          await look(`the sign-in with ${script}`)
        }
        if (who === 'admin') {
          for (const path of ['/admin/orders', '/admin/stats']) {
            await page.goto(path)
            const search = page.getByRole('searchbox').first()
            for (const script of scripts.slice(0, 6)) {
              await search.fill(script)
              await look(`the search of ${path} with ${script}`)
            }
          }
        }
        await page.context().close()
      }
    }
    trial.same('dialogs, calls to the canary', [found.dialogs, hits], [0, []])
    trial.same('what the policy had to forbid', [...new Set(found.policy)], [])
  } finally {
    canary.closeAllConnections()
    canary.close()
  }
}

/** Through the API where it accepts them, otherwise directly, as an import or an earlier version may have stored them. */
async function leaveEverywhere(shop: BrowserShop, scripts: string[], customer: string): Promise<number> {
  const { admin } = shop
  let left = 0
  await shop.call('PUT', '/extra/notice', { as: admin, body: { noticeContent: scripts.join('\n').slice(0, 4_000) } })
  const { db, end } = await openOwnDatabase(shop.dataDir)
  try {
    // The database's own constraints would refuse most of them, so they are switched off here.
    const { rows: constraints } = await db.query<{ name: string; relation: string }>(
      `select conname as name, conrelid::regclass::text as relation from pg_constraint
       where contype = 'c' and conrelid::regclass::text in ('users', 'orders', 'packages', 'shop_settings', 'admin_actions')`,
    )
    for (const { name, relation } of constraints) await db.query(`alter table ${relation} drop constraint ${name}`)
    for (const [index, script] of scripts.entries()) {
      await db.query(
        `insert into users (username, username_skeleton, email, phone, password_hash, level) values ($1, $2, $3, $4, 'none', 'Customer')`,
        [script, `s${index}`, `${index}"><script>x`, `05${String(90_000_000 + index)}`],
      )
      await db.query(`select create_wallet(id) from users where username_skeleton = $1`, [`s${index}`])
      await db.query(
        `insert into packages (product_id, position, offer, price_customer_pesewas, price_agent_pesewas)
         select id, 60 + $2, $1, 700, 600 from products where network = 'MTN' limit 1`,
        [script, index],
      )
      await db.query(
        `insert into orders (user_id, product_id, network, offer, image_hash, level, receiver, price_pesewas, paid_with, reference, created_at)
         select $2, id, network, $1, image_hash, 'Customer', $1, 700, 'wallet', new_reference(), now() from products where network = 'MTN' limit 1`,
        [script, customer],
      )
      await db.query(
        `insert into admin_actions (actor_id, action, subject_type, subject_id, note, created_at)
         select id, 'user.status', 'user', $2, $1, now() from users where level = 'Admin' limit 1`,
        [script, customer],
      )
      left += 4
    }
    await db.query(`update shop_settings set momo_account_name = $1`, [scripts[2]])
  } finally {
    await end()
  }
  return left + 2
}
