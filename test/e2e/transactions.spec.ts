import type { Order } from '../../shared/orders.ts'
import { spacedPhone } from '../../shared/phones.ts'
import { entriesOf, entryOf, expect, keepSession, openReceipt, test } from './shop.ts'

const LIST = 'My Transactions'

test('who has bought nothing is told so and led to the store', async ({ page, shop }) => {
  await keepSession(page, await shop.makeUser())
  await page.goto('/user/history')
  await expect(page.getByText("You haven't placed any order yet")).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Go to the store' }).click()
  await expect(page).toHaveURL('/store')
})

test('the reference that another program sent with an order stands beside the shop’s own, for the buyer and the admin', async ({
  page,
  shop,
  browser,
}) => {
  const customer = await shop.makeUser({ balance: 50 })
  const reference = String(Date.now())
  const reply = await page.request.post('/api/order/create', {
    headers: { authorization: `Bearer ${customer.token}` },
    data: { newOrder: { id: '53300417', totalAmount: 5.5, offer: '1GB', receiver: '0551234567', network: 'MTN', reference } },
  })
  expect(reply.status()).toBe(200)
  const { order } = (await reply.json()) as { order: Order }
  await keepSession(page, customer)
  for (const address of ['/user/history', `/order/${order.number}`, `/receipt/${order.number}`]) {
    await page.goto(address)
    await expect(page.getByRole('main')).toContainText(address === '/user/history' ? reference.slice(0, 6) : reference)
    await expect(page.getByRole('main')).toContainText(order.reference.slice(0, 6))
  }
  await page.goto(`/user/history?search=${reference}`)
  await expect(entriesOf(page, LIST)).toHaveCount(1)

  const owners = await (await browser.newContext()).newPage()
  await keepSession(owners, shop.admin)
  await owners.goto(`/admin/orders/${order.number}`)
  await expect(owners.getByRole('main')).toContainText(reference.slice(0, 6))
  await expect(owners.getByRole('main')).toContainText(spacedPhone(customer.phone))
  await owners.goto(`/admin/orders?search=${reference}`)
  await expect(entriesOf(owners, 'Orders')).toHaveCount(1)
  await expect(entriesOf(owners, 'Orders').first()).toContainText(spacedPhone(customer.phone))
  await owners.context().close()
})

test('orders are listed newest first, in pages, and found by anything that stands there', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 500 })
  for (let count = 0; count < 12; count++) {
    await shop.buy(customer, [{ offer: count % 2 ? '2GB' : '1GB', phoneNumber: `05500000${count.toString().padStart(2, '0')}` }])
  }
  // Made in a second of its own, so that its date finds it alone.
  const [last] = await shop.ordersOf(customer)
  await expect.poll(() => new Date().toISOString().slice(17, 19)).not.toBe(last?.date.slice(-2))
  const [telecel] = await shop.buy(customer, [{ network: 'Telecel', offer: '10GB', phoneNumber: '0201112223' }])
  if (!telecel) throw new Error('no order came of buying')
  await shop.decide(telecel, 'rejected')
  await shop.buy(await shop.makeUser({ balance: 10 }), [{ phoneNumber: '0559999999' }])

  await keepSession(page, customer)
  await page.goto('/user/history')
  const list = page.getByRole('region', { name: LIST })
  const entries = entriesOf(page, LIST)
  await expect(list.getByText(/^Showing 10 of 13 entries/)).toBeVisible()
  await expect(entries).toHaveCount(10)
  const newest = entries.first()
  for (const text of ['Telecel', '10GB', '¢43.50', telecel.reference.slice(0, 6), telecel.date, 'rejected'])
    await expect(newest).toContainText(text)
  await expect(newest).toContainText(/020 ?111 ?2223/)
  await expect(entries.nth(1)).toContainText(/055 ?000 ?0011/)

  await test.step('pages', async () => {
    const pages = list.getByRole('navigation')
    await expect(pages.getByRole('button', { name: 'Page 1', exact: true })).toHaveAttribute('aria-current', 'page')
    await pages.getByRole('button', { name: 'Page 2', exact: true }).click()
    await expect(entries).toHaveCount(3)
    await expect(entries.last()).toContainText(/055 ?000 ?0000/)
    await expect(list.getByText(/^Showing 3 of 13 entries/)).toBeVisible()
    await expect(pages.getByRole('button', { name: 'Next page' })).toBeDisabled()
    const size = list.getByLabel('Entries per page')
    expect(await size.getByRole('option').allTextContents()).toEqual(['5', '10', '20', '50'])
    await size.selectOption('5')
    await expect(entries).toHaveCount(5)
    await expect(pages.getByRole('button', { name: 'Page 3', exact: true })).toBeVisible()
    await size.selectOption('20')
    await expect(entries).toHaveCount(13)
    await expect(pages).toHaveCount(0)
    await expect(list.getByText('Showing 13 of 13 entries')).toBeVisible()
  })

  await test.step('search', async () => {
    const search = list.getByRole('searchbox', { name: 'Search my transactions' })
    const mine = await shop.ordersOf(customer)
    const isTelecel = ({ _id }: Order) => _id === telecel._id
    const found: [string, (order: Order) => boolean][] = [
      ['telecel', isTelecel],
      ['rejected', isTelecel],
      ['pending', (order) => !isTelecel(order)],
      ['0550000007', ({ receiver }) => receiver === '0550000007'],
      [telecel.reference.toLowerCase(), isTelecel],
      ['43.50', isTelecel],
      ['2gb', ({ offer }) => offer === '2GB'],
      [telecel.id, isTelecel],
      [telecel.date, isTelecel],
    ]
    for (const [text, isMeant] of found) {
      // A reference is random, and may have any short word in it.
      const count = mine.filter((order) => isMeant(order) || order.reference.toLowerCase().includes(text)).length
      await search.fill(text)
      await expect(list.getByText(`Showing ${count} of ${count} entries`), `searching ${text}`).toBeVisible()
      await expect(entries).toHaveCount(count)
    }
    await search.fill('0559999999')
    await expect(list.getByText('Nothing matches “0559999999”.')).toBeVisible()
    await list.getByRole('button', { name: 'Clear the search' }).click()
    await expect(entries).toHaveCount(13)
  })

  await test.step('columns, where there is room for a table', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    const columns = ['ID', 'Network', 'Receiver', 'Offer', 'Amount', 'Reference', 'Date', 'Status', 'Buy again']
    await expect(page.getByRole('columnheader')).toHaveText(columns)
  })
})

test('a receipt shows the order, its price only if wanted, and is shared as a picture, sent or printed', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 50 })
  await shop.call('PUT', '/contact', { as: customer, body: { network: 'MTN', phoneNumber: '0241234567', name: 'Auntie Esi' } })
  const [order] = await shop.buy(customer, [{ phoneNumber: '0241234567' }])
  if (!order) throw new Error('no order came of buying')
  await page.addInitScript(() => {
    window.print = () => {
      document.body.dataset.printed = 'yes'
    }
    navigator.canShare = () => true
    navigator.share = async (shared) => {
      const { files, text } = shared as { files: File[]; text: string }
      const [file] = files
      const { width, height } = await createImageBitmap(file as File)
      document.body.dataset.shared = [file?.name, file?.type, width > 1000 && height > 1000, text].join(' ')
    }
  })
  await keepSession(page, customer)
  await page.goto('/user/history')
  const receipt = await openReceipt(page, entryOf(page, LIST, order.reference))
  for (const text of [
    'MTN',
    '1GB',
    'Auntie Esi',
    '024 ••• 4567',
    '024 123 4567',
    order.reference,
    order.date,
    'Wallet',
    customer.username,
    'pending',
  ]) {
    await expect(receipt).toContainText(text)
  }
  const price = receipt.getByText('GHS 5.50', { exact: true })
  const message = async () => {
    const sent = new URL((await receipt.getByRole('link', { name: 'Send on WhatsApp' }).getAttribute('href')) ?? 'none')
    expect(sent.origin + sent.pathname).toBe('https://wa.me/')
    return sent.searchParams.get('text') ?? ''
  }
  await expect(price).toHaveCount(0)
  expect(await message()).toBe(`MTN 1GB for 024 ••• 4567 is on its way.\n${shop.address}/t/${order.reference}`)
  await receipt.getByRole('button', { name: 'Share' }).click()
  const shared = `receipt-${order.number}.png image/png true ${shop.address}/t/${order.reference}`
  await expect(page.locator('body')).toHaveAttribute('data-shared', shared)

  await receipt.getByRole('switch', { name: 'Price on the picture' }).check()
  await expect(price).toBeVisible()
  expect(await message()).toContain('GHS 5.50')

  await receipt.getByRole('button', { name: 'Print' }).click()
  await expect(page.locator('body')).toHaveAttribute('data-printed', 'yes')
  await expect(receipt.getByRole('link', { name: 'Buy again' })).toHaveAttribute('href', /^\/store\?buy=.*&to=0241234567$/)
  await shop.decide(order, 'rejected')
  await expect(receipt).toContainText('rejected')
  await expect(receipt).toContainText('We refunded ¢5.50 to your wallet.')

  // Who has the link learns neither the name nor the price.
  await page.goto(`/t/${order.reference}`)
  await expect(page.getByRole('heading', { name: 'Refunded' })).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText(/Auntie|5\.50/)
})

test('without a connection the last known orders are shown as such', { tag: '@long' }, async ({ page, shop, troubles }) => {
  const customer = await shop.makeUser({ balance: 50 })
  const [order] = await shop.buy(customer, [{}])
  await keepSession(page, customer)
  await page.goto('/user/history')
  await expect(entryOf(page, LIST, order?.reference ?? 'none')).toBeVisible()
  troubles.expect(/^failed GET \/api\//)
  await page.route('**/api/**', (route) => route.abort('connectionfailed'))
  await page.reload()
  await expect(page.getByText('Last known orders')).toBeVisible()
  await expect(entryOf(page, LIST, order?.reference ?? 'none')).toBeVisible()
  await page.unroute('**/api/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Last known orders')).toHaveCount(0)
  await expect(entryOf(page, LIST, order?.reference ?? 'none')).toBeVisible()
})
