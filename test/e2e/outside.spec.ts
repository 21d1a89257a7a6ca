import type { Page } from '@playwright/test'
import type { InsightReply } from '../../shared/insight.ts'
import type { JobsReply } from '../../shared/jobs.ts'
import type { Order } from '../../shared/orders.ts'
import { spacedPhone } from '../../shared/phones.ts'
import type { Settings, SettingsReply } from '../../shared/settings.ts'
import { check } from './check-accessibility.ts'
import type { Shop } from './open-shop.ts'
import { alertOf, answer, entriesOf, entryOf, expect, follow, keepSession, test, toastOf } from './shop.ts'

// What the shop takes minutes for by itself is done in seconds.
test.use({ shopSettings: { JOB_TIMINGS: 'quick', SUPPLIER_CALLS_PER_MINUTE: '300' } })

const AIRTELTIGO = { network: 'AirtelTigo', phoneNumber: '0271234567' }
const SAVE_QUESTION = 'Are you sure you want to save these settings?'
const USUAL: Partial<Settings> = {
  completeDelivered: false,
  rejectRefused: false,
  operatorSms: true,
  operatorCheckerSms: true,
  operatorPhone: null,
  buyerSms: false,
  smsDailyCap: 500,
  smsDigestAbove: 5,
}

const settingsOf = async (shop: Shop) => (await shop.call<SettingsReply>('GET', '/admin/settings', { as: shop.admin })).settings
const jobsOf = (shop: Shop) => shop.call<JobsReply>('GET', '/admin/jobs', { as: shop.admin })
const hubnet = (shop: Shop, method: string, path: string, body?: object) =>
  shop.call(method, `/sandbox/supplier/hubnet/${path}`, body && { body })

// The supplier's own limit would be used up by the tests together.
test.beforeEach(({ shop }) => hubnet(shop, 'PATCH', 'settings', { callsPerMinute: null }))

test.afterEach(async ({ shop }) => {
  await hubnet(shop, 'DELETE', 'faults')
  await hubnet(shop, 'PATCH', 'settings', { deliversAfterMs: 5_000 })
  await shop.call('DELETE', '/sandbox/sms/faults')
  const routes = { MTN: 'by-hand', AirtelTigo: 'hubnet', Telecel: 'by-hand' }
  await shop.call('PUT', '/admin/settings', { as: shop.admin, body: { ...USUAL, routes } })
})

async function buy(shop: Shop, line: object): Promise<Order> {
  const [order] = await shop.buy(await shop.makeUser({ balance: 50 }), [line])
  if (!order) throw new Error('no order came of buying')
  return order
}

async function openSettings(page: Page, shop: Shop) {
  await keepSession(page, shop.admin)
  await page.goto('/admin/settings')
  await expect(page.getByText('Everything below is saved.')).toBeVisible()
}

test('settings are changed, asked about where money moves, and shown as saved', async ({ page, shop }) => {
  await openSettings(page, shop)
  const mtn = page.getByLabel('Who delivers MTN', { exact: true })
  await mtn.selectOption({ label: 'Hubnet' })
  await page.getByRole('switch', { name: 'Complete delivered orders' }).check()
  await page.getByLabel('Daily message limit').fill('300')
  await expect(page.getByText('3 unsaved changes')).toBeVisible()

  await page.getByRole('button', { name: 'Save changes' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('New MTN orders go to Hubnet at once')
  await expect(question).toContainText('without anybody checking')
  await answer(page, SAVE_QUESTION, 'No')
  expect((await settingsOf(shop)).routes.MTN).toBe('by-hand')

  await page.getByRole('button', { name: 'Save changes' }).click()
  await answer(page, SAVE_QUESTION, 'Yes, save')
  await expect(toastOf(page, 'Settings saved')).toBeVisible()
  await expect(page.getByText(`Everything below is saved. Last changed by ${shop.admin.username} on`)).toBeVisible()
  expect(await settingsOf(shop)).toMatchObject({ routes: { MTN: 'hubnet' }, completeDelivered: true, smsDailyCap: 300 })
  await page.reload()
  await expect(mtn).toHaveValue('hubnet')
  await expect(page.getByRole('switch', { name: 'Complete delivered orders' })).toBeChecked()

  const order = await buy(shop, {})
  await page.goto(`/admin/orders?search=${order.reference}`)
  await expect(entryOf(page, 'Orders', order.reference).getByRole('button', { name: /^Hubnet: / })).toBeVisible()
})

test('a setting that cannot be is named, and nothing is sent', async ({ page, shop }) => {
  await openSettings(page, shop)
  const cap = page.getByLabel('Daily message limit')
  await cap.fill('a few')
  await page.getByLabel('Number for these messages').fill('024')
  await page.getByRole('button', { name: 'Save changes' }).click()
  const problems = page.getByRole('alert')
  await expect(problems).toContainText('Daily message limit: Enter a whole number from 0 to 100000.')
  await expect(problems).toContainText('Number for these messages: Enter a phone number of exactly 10 digits')
  await expect(page.getByLabel('Number for these messages')).toBeFocused()
  await expect(cap).toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(cap).toHaveValue('500')
  await expect(page.getByText('Everything below is saved.')).toBeVisible()
  expect(await settingsOf(shop)).toMatchObject(USUAL)
})

test('what is not saved waits on the way through other screens, and a reload asks first', async ({ page, shop }) => {
  await openSettings(page, shop)
  await page.getByRole('switch', { name: 'Message when an order is done' }).check()
  const tabs = page.getByRole('navigation', { name: 'Admin Portal' })
  await tabs.getByRole('link', { name: 'More unsaved changes' }).click()
  const more = page.getByRole('main')
  await more.getByRole('link', { name: 'Stuck work' }).click()
  await expect(page.getByText('Nothing is stuck.')).toBeVisible()
  await page.goBack()
  await more.getByRole('link', { name: 'Settings unsaved changes' }).click()
  await expect(page.getByText('1 unsaved change')).toBeVisible()

  const asked = page.waitForEvent('dialog')
  const reloaded = page.reload()
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.accept()
  await reloaded
  await expect(page.getByText('Everything below is saved.')).toBeVisible()
})

test('what another admin has changed meanwhile is shown and never overwritten unseen', async ({ page, shop, troubles }) => {
  const other = await shop.makeUser({ level: 'Admin' })
  await openSettings(page, shop)
  const mtn = page.getByLabel('Who delivers MTN', { exact: true })
  await mtn.selectOption({ label: 'RemaData' })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await shop.call('PUT', '/admin/settings', { as: other, body: { routes: { MTN: 'hubnet' }, smsDailyCap: 250 } })
  troubles.expect(/^409 PUT \/api\/admin\/settings$/)
  await answer(page, SAVE_QUESTION, 'Yes, save')
  await expect(page.getByText('Another admin has changed this meanwhile. Nothing was saved')).toBeVisible()
  await expect(page.getByText('Another admin has set this to Hubnet meanwhile.')).toBeVisible()
  await expect(mtn).toHaveValue('remadata')
  await expect(page.getByLabel('Daily message limit')).toHaveValue('250')
  await expect(page.getByText(`Last changed by ${other.username} on`)).toBeVisible()
  expect((await settingsOf(shop)).routes.MTN).toBe('hubnet')

  await page.getByRole('button', { name: 'Keep theirs' }).click()
  await expect(mtn).toHaveValue('hubnet')
  await expect(page.getByText('Everything below is saved.')).toBeVisible()
  await mtn.selectOption({ label: 'RemaData' })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await answer(page, SAVE_QUESTION, 'Yes, save')
  await expect(toastOf(page, 'Settings saved')).toBeVisible()
  expect((await settingsOf(shop)).routes.MTN).toBe('remadata')
})

test('of many at once, an order that a supplier has is left out until it is ticked, and refused without a reason', {
  tag: ['@desktop', '@long'],
}, async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 100 })
  await shop.buy(
    customer,
    Array.from({ length: 5 }, () => ({ offer: '1GB' })),
  )
  await shop.buy(customer, [AIRTELTIGO])
  await expect(async () => {
    const [newest] = await shop.ordersOf(customer)
    expect(newest?.supplierStatus).toBe('Delivered')
  }).toPass()
  await keepSession(page, shop.admin)
  await page.goto(`/admin/orders?search=${encodeURIComponent(customer.username)}&pageSize=5`)
  const everything = page.getByLabel('Select all pending orders on this page', { exact: true })
  await expect(entriesOf(page, 'Orders')).toHaveCount(5)
  await everything.check()
  const bar = page.getByRole('region', { name: 'Selected orders' })
  await expect(bar.getByText('5 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Page 2', exact: true }).click()
  await expect(everything).not.toBeChecked()
  await everything.check()
  await expect(bar.getByText('6 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Page 1', exact: true }).click()
  await expect(everything).toBeChecked()
  await expect(bar.getByText('6 selected')).toBeVisible()

  await bar.getByRole('button', { name: 'Copy list' }).click()
  await expect(toastOf(page, 'Copied 5 lines of MTN: number and volume. 1 order left out: with a supplier')).toBeVisible()
  await bar.getByRole('button', { name: 'Reject 6' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByText('Are you sure you want to reject 5 orders worth ¢27.50?')).toBeVisible()
  await dialog.getByLabel(/^Order .*AirtelTigo 1GB/).check()
  await expect(dialog.getByText('Are you sure you want to reject 6 orders worth ¢32.50?')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Yes' })).toBeDisabled()
  await check(page, 'the question about many orders')
  await dialog.getByLabel('Reason').fill('Their portal shows that it never went out')
  await dialog.getByRole('button', { name: 'Yes' }).click()
  await expect(alertOf(page, '6 orders rejected')).toBeVisible()
  expect(await shop.balanceOf(customer)).toBe(100)
})

test('work that gave up says why, is tried again, and dismissed with a reason; what somebody else has put back is not put back again', async ({
  page,
  shop,
  troubles,
}) => {
  test.slow()
  await keepSession(page, shop.admin)
  await page.goto('/admin/work')
  await expect(page.getByText('Nothing is stuck.')).toBeVisible()
  await shop.call('POST', '/sandbox/sms/faults', { body: { call: 'send', kind: 'refuse', cause: 'no-money', times: 1000 } })
  // All three give up in the same while.
  const [hopeless, quicker, again] = await Promise.all([
    buy(shop, { network: 'Telecel', offer: '5GB', phoneNumber: '0201234567' }),
    buy(shop, { phoneNumber: '0551110001' }),
    buy(shop, { phoneNumber: '0551110002' }),
  ])
  const failed = async () => {
    // What has failed once is tried only once more, as if all but the last of its tries had been made.
    await shop.sql(`update jobs.job set retry_count = retry_limit - 1, start_after = now() where state = 'retry'`)
    return (await jobsOf(shop)).failed.length
  }
  await expect.poll(failed, { timeout: 60_000 }).toBe(3)

  const jobs = page.getByRole('region', { name: 'Stuck jobs' }).getByRole('listitem')
  const jobOf = (order: Order) => jobs.filter({ hasText: spacedPhone(order.receiver) })
  await expect(jobs).toHaveCount(3)
  await expect(jobOf(hopeless)).toContainText('Telecel')
  await expect(jobOf(hopeless)).toContainText('after 10 attempts')
  await expect(jobOf(hopeless)).toContainText('The message service did not take it')
  await expect(page.getByRole('region', { name: 'Work at this moment' })).toContainText('Messages to send3 stuck')
  await check(page, 'the work with something stuck')

  await test.step('one is dismissed, and its order left to be decided by hand', async () => {
    await jobOf(hopeless).getByRole('button', { name: 'Dismiss' }).click()
    const question = page.getByRole('alertdialog', { name: 'Dismiss this job' })
    await expect(question).toContainText('The message never goes to')
    await expect(question).toContainText(`Order ${hopeless.id} stays pending`)
    await check(page, 'a job that is about to be dismissed')
    await question.getByRole('button', { name: 'Yes, dismiss it' }).click()
    await expect(question).toContainText('Say in a few words why it may be left undone.')
    expect((await jobsOf(shop)).failed).toHaveLength(3)
    await question.getByLabel('Why is it safe to leave this undone?').fill('The operator was told by phone')
    await question.getByRole('button', { name: 'Yes, dismiss it' }).click()
    await expect(toastOf(page, `Order ${hopeless.id} is still pending: process it or reject it by hand.`)).toBeVisible()
    await expect(jobs).toHaveCount(2)
  })

  await shop.call('DELETE', '/sandbox/sms/faults')
  await test.step('one is put back by somebody else while the question stands', async () => {
    await jobOf(quicker).getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('counts toward today’s limit')
    const job = (await jobsOf(shop)).failed.find((failed) => JSON.stringify(failed).includes(quicker.receiver))
    await shop.call('POST', `/admin/jobs/${job?._id}/retry`, { as: shop.admin, body: {} })
    troubles.expect(/^404 POST \/api\/admin\/jobs\//)
    await answer(page, /^Are you sure you want to try this again/)
    await expect(alertOf(page, 'Somebody has already retried or dismissed that job.')).toBeVisible()
    await expect(jobs).toHaveCount(1)
  })

  await test.step('one is tried again', async () => {
    await jobOf(again).getByRole('button', { name: 'Try again' }).click()
    await answer(page, /^Are you sure you want to try this again: send a message to/)
    await expect(toastOf(page, 'Trying the job again')).toBeVisible()
    await expect(page.getByText('Nothing is stuck.')).toBeVisible()
    for (const order of [quicker, again])
      await expect.poll(async () => (await shop.outbox()).filter(({ body }) => body.startsWith(`New order ${order.id}:`)).length).toBe(1)
  })

  await follow(page, '/admin/activity')
  await expect(page.getByRole('main').getByText('Dismissed a job').locator('visible=true').first()).toBeVisible()
  await expect(page.getByRole('main').getByText('The operator was told by phone').locator('visible=true').first()).toBeVisible()
})

test('how an order stands at its supplier is seen by its buyer in plain words, and by the admin in full', { tag: '@long' }, async ({
  page,
  browserOf,
  shop,
}) => {
  // Delivered when this test says so, however long it takes to look.
  await hubnet(shop, 'PATCH', 'settings', { deliversAfterMs: null })
  const buyer = await shop.makeUser({ balance: 50 })
  await keepSession(page, shop.admin)
  const theirs = await browserOf(buyer)
  await theirs.goto('/user/history')
  const [order] = await shop.buy(buyer, [AIRTELTIGO])
  if (!order) throw new Error('no order came of buying')
  const bought = entryOf(theirs, 'My Transactions', order.reference)
  await expect(bought).toContainText('pending')
  await expect(bought).toContainText('Sent to network')
  await expect(bought).not.toContainText('Hubnet')

  await page.goto(`/admin/orders?search=${order.reference}`)
  const entry = entryOf(page, 'Orders', order.reference)
  await entry.getByRole('button', { name: 'Hubnet: Taken' }).click()
  const details = page.getByRole('dialog', { name: `Order ${order.id} at Hubnet` })
  await expect(details).toContainText('Hubnet has taken the order')
  await expect(details).toContainText(order.reference)
  await expect(details).toContainText('SentOnce')
  await check(page, 'an order at its supplier')

  await hubnet(shop, 'POST', `deliveries/${order.reference}/state`, { state: 'delivered' })
  await expect(details).toContainText('Hubnet says it is delivered.')
  await expect(bought).toContainText('Delivered')
  await details.getByRole('button', { name: 'Close' }).click()
  await entry.getByRole('button', { name: 'Reject' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Hubnet says it is delivered. The buyer still gets the money back.')
  await page.getByRole('alertdialog').getByLabel('Reason').fill('It went to a wrong number')
  await answer(page, `Are you sure you want to reject order ${order.id}?`)
  await expect(bought).toContainText('rejected')
  await expect(bought).not.toContainText('Delivered')
})

test('an order by hand says nothing of suppliers', async ({ page, shop }) => {
  const order = await buy(shop, {})
  await keepSession(page, shop.admin)
  await page.goto(`/admin/orders?search=${order.reference}`)
  await expect(entryOf(page, 'Orders', order.reference)).toContainText('Pending')
  await expect(page.getByRole('button', { name: /^Hubnet|^RemaData/ })).toHaveCount(0)
})

test('the top bar fits every width of a tablet', { tag: '@desktop' }, async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 48_888.5 })
  for (const user of [shop.admin, customer]) {
    await keepSession(page, user)
    await page.goto('/user/history')
    const balance = page.getByRole('banner').getByRole('link', { name: /^Wallet balance/ })
    await expect(balance).toContainText(user === customer ? '¢48,888.50' : '¢')
    for (const width of [768, 800, 850, 890, 1023, 1024]) {
      await page.setViewportSize({ width, height: 700 })
      await expect(balance).toBeVisible()
      const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      await expect.poll(tooWide, `${user.username} at ${width}`).toBeLessThanOrEqual(0)
      await expect.poll(() => overlapping(page), `${user.username} at ${width}`).toEqual([])
    }
  }
})

test('the bottom bar keeps its words on one line', async ({ page, shop }) => {
  await keepSession(page, shop.admin)
  await page.goto('/user/history')
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 700 })
    const lines = () =>
      links.evaluateAll((all) =>
        all.map((link) => {
          const range = document.createRange()
          range.selectNodeContents(link.lastChild as Node)
          return range.getClientRects().length
        }),
      )
    await expect.poll(lines, `at ${width}`).toEqual([1, 1, 1, 1])
  }
})

/** Pairs of neighbours in the top bar that stand on one another. */
function overlapping(page: Page): Promise<string[]> {
  return page
    .getByRole('banner')
    .getByRole('link')
    .or(page.getByRole('banner').getByRole('button'))
    .evaluateAll((items) =>
      items.flatMap((item, index) => {
        const next = items[index + 1]
        const isOn = next && item.getBoundingClientRect().right > next.getBoundingClientRect().left + 0.5
        return isOn ? [`${item.textContent} on ${next.textContent}`] : []
      }),
    )
}

test('a supplier whose balance is finished shows on every screen of the portal, and one press sends what waited', { tag: '@long' }, async ({
  page,
  shop,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await hubnet(shop, 'PATCH', 'settings', { deliversAfterMs: 100 })
  await hubnet(shop, 'POST', 'faults', { call: 'order', kind: 'refuse', cause: 'no-money', times: 50 })
  const orders = [await buy(shop, AIRTELTIGO), await buy(shop, AIRTELTIGO)]
  await keepSession(page, shop.admin)
  await page.goto('/admin/inbox')
  const banner = page.getByRole('region', { name: 'Suppliers' })
  await expect(banner).toContainText('Your Hubnet balance is finished. 2 orders are waiting.')
  // Until somebody presses the button, however long that takes.
  await shop.sql(`update supplier_health set paused_until = now() + interval '1 hour' where supplier = 'hubnet'`)
  await banner.getByRole('link', { name: 'Your Hubnet balance is finished.' }).click()
  const card = page.getByRole('region', { name: 'Hubnet' })
  await expect(card).toContainText('Finished')
  await expect(page.getByRole('region', { name: 'Next' })).toContainText('2 orders held')
  await check(page, 'the suppliers')

  // Only now is the balance filled up: a call that had already begun must not find it so.
  await hubnet(shop, 'DELETE', 'faults')
  await page.getByRole('region', { name: 'Next' }).getByRole('button', { name: 'Try now' }).click()
  await expect(toastOf(page, /orders? (is|are) being sent now|is waiting there/)).toBeVisible()
  await expect(card).toContainText('Enough')
  await expect(page.getByRole('region', { name: 'Next' })).toContainText('No orders held')
  await expect.poll(async () => (await shop.outbox()).filter(({ body }) => body.includes('Hubnet balance is finished')).length).toBe(1)

  const delivered = async () => {
    const all = await shop.call<Order[]>('GET', '/order/allorders', { as: shop.admin })
    return all.filter(({ _id, supplier }) => orders.some((order) => order._id === _id) && supplier?.status === 'delivered').length
  }
  await expect.poll(delivered).toBe(2)
  for (const order of orders) await shop.decide(order, 'completed')
  await page.goto('/admin/insight')
  const figures = page.getByRole('region', { name: 'Figures' })
  await expect(figures).toContainText('Sales')
  const day = new Date().toISOString().slice(0, 10)
  const { totals } = await shop.call<InsightReply>('GET', `/admin/insight?from=${day}&to=${day}`, { as: shop.admin })
  await page.getByRole('button', { name: 'Today' }).click()
  await expect(figures).toContainText(`¢${totals.sales.toFixed(2)}`)
  await expect(page.getByRole('region', { name: 'How long a delivery takes' })).toContainText('AirtelTigo')
  await check(page, 'Insight')
})

test('two pages of settings each save what was typed in them, and keep what the other saved', async ({ page, shop }) => {
  type Reply = { shop: { name: string; tagline: string; phone: string; whatsapp: string[]; paymentNumbers: object[] } }
  const stored = async () => (await shop.call<Reply>('GET', '/admin/shop', { as: shop.admin })).shop
  const { name, tagline, phone, whatsapp, paymentNumbers: numbers } = await stored()
  await openSettings(page, shop)
  const old = await page.context().newPage()
  await openSettings(old, shop)

  await page.getByLabel('Name', { exact: true }).fill('Ama Data')
  await page.getByLabel('Tagline').fill('Cheap and fast')
  await page.getByRole('button', { name: 'Save your shop' }).click()
  await expect(toastOf(page, 'Saved. Customers see it from now on')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save your shop' })).toBeHidden()
  await expect(page).toHaveTitle(/ · Ama Data$/)

  // Typed with spaces and kept without: the form is done with it all the same.
  await old.getByLabel('Phone', { exact: true }).fill('024 411 2233')
  await old.getByRole('button', { name: 'Save your shop' }).click()
  await expect(toastOf(old, 'Saved. Customers see it from now on')).toBeVisible()
  await expect(old.getByRole('button', { name: 'Save your shop' })).toBeHidden()
  await expect(old.getByLabel('Tagline')).toHaveValue('Cheap and fast')
  expect(await stored()).toMatchObject({ tagline: 'Cheap and fast', phone: '0244112233', whatsapp })

  // Payment numbers are saved all together, so a page that doesn't know the newest ones asks to look again.
  const telecel = { network: 'Telecel', phoneNumber: '0201234567', accountName: 'Ama Mensah' }
  const mtn = { network: 'MTN', phoneNumber: '0241234567', accountName: 'Ama Mensah' }
  await page.getByLabel('MTN account name').fill('Ama')
  await shop.call('PUT', '/admin/shop/payment-numbers', { as: shop.admin, body: { numbers: [mtn, telecel] } })
  await page.getByRole('button', { name: 'Save payment numbers' }).click()
  await expect(page.getByText('The numbers were changed elsewhere meanwhile.')).toBeVisible()
  await expect(page.getByLabel('Telecel number')).toHaveValue('020 123 4567')
  await page.getByRole('button', { name: 'Save payment numbers' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('020 123 4567, Ama Mensah')
  await answer(page, 'Are you sure you want to send customers’ money here?', 'No')

  await shop.call('PUT', '/admin/shop', { as: shop.admin, body: { name, tagline, phone, whatsapp } })
  if (numbers.length > 0) await shop.call('PUT', '/admin/shop/payment-numbers', { as: shop.admin, body: { numbers } })
})
