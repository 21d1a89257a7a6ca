import type { Page } from '@playwright/test'
import { expect, test, toastOf } from './shop.ts'

test('on a phone an agent opens a shop and prices it; a guest buys there without an account, and follows the order', async ({
  page,
  shop,
  browserOf,
}) => {
  await shop.call('PUT', '/agent-shops/rules', { as: shop.admin, body: { newShops: true } })
  const agent = await browserOf(await shop.makeUser({ level: 'Agent' }))
  await agent.setViewportSize({ width: 390, height: 844 })
  await agent.goto('/agent')
  await agent.getByRole('link', { name: 'My shop' }).click()
  await agent.getByLabel('Shop name').fill('Akosua Data')
  await agent.getByRole('textbox', { name: 'Link' }).fill('kumasi')
  await agent.getByRole('button', { name: 'Open my shop' }).click()
  await expect(toastOf(agent, 'Your shop is open. Share its link.')).toBeVisible()
  const price = agent.getByLabel('Your price, MTN 1GB')
  const own = (Number(await price.inputValue()) + 0.5).toFixed(2)
  await agent.getByRole('button', { name: '+¢0.50 each' }).click()
  await expect(price).toHaveValue(own)
  await price.fill('0.50')
  await expect(agent.getByText(/^Below your cost of/)).toBeVisible()
  await expect(agent.getByRole('button', { name: 'Mend 1GB, then save' })).toBeDisabled()
  await price.fill(own.replace('.', ','))
  await expect(price).toHaveAccessibleDescription(new RegExp(`^¢${own} `))
  await agent.getByRole('button', { name: 'Save Changes' }).click()
  await expect(toastOf(agent, 'Saved. Guests see it now.')).toBeVisible()
  await agent.getByRole('link', { name: 'Price list' }).click()
  await expect(agent.getByRole('img', { name: 'Price list of Akosua Data' })).toBeVisible()

  // Browsers look up such a name on this machine.
  const host = 'kumasi.localhost'
  await agent.getByRole('link', { name: 'Prices and look' }).click()
  await agent.getByRole('button', { name: 'Use my own address' }).click()
  await agent.getByRole('textbox', { name: 'Web address' }).fill(`http://${host}/`)
  await agent.getByRole('button', { name: 'Ask for it' }).click()
  await expect(agent.getByRole('region', { name: 'Your own web address' })).toContainText(host)
  const [listed] = await shop.call<{ id: string }[]>('GET', '/agent-shops', { as: shop.admin })
  await shop.call('PUT', `/agent-shops/${listed?.id}`, { as: shop.admin, body: { hostApproved: true, seenHost: host } })

  const address = new URL(shop.address)
  address.hostname = host
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${address.origin}/admin`)
  await expect(page).toHaveURL(`${address.origin}/`)
  await expect(page).toHaveTitle('Akosua Data')
  await expect(page.getByRole('link', { name: 'Sign In' })).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: 'Akosua Data' })).toBeVisible()
  await expect(page.locator('#mtn').getByRole('button').first()).toContainText(own)
  await page.locator('#mtn').getByRole('button').first().click()
  const sheet = page.getByRole('dialog', { name: /^MTN/ })
  // A number with a digit too many is asked about once.
  await sheet.getByLabel('Who gets the data?').fill('02455501429')
  await sheet.getByRole('button', { name: /^Pay with mobile money or card/ }).click()
  await expect(sheet.getByText('Is 024 555 0142 the right number? Then press again.')).toBeVisible()
  await expect(page.getByTitle('Card payment')).toHaveCount(0)
  await sheet.getByRole('button', { name: /^Pay with mobile money or card/ }).click()
  await expect(page.getByTitle('Card payment')).toBeVisible()
  // Left in the middle of it, the payment goes on where it stopped.
  await page.reload()
  await expect(page.getByText(/^Your payment of ¢.* isn’t finished$/)).toBeVisible()
  await page.getByRole('button', { name: 'Go on paying' }).click()
  await page
    .getByTitle('Card payment')
    .contentFrame()
    .getByRole('button', { name: /^Pay .* by card$/ })
    .click()
  await expect(page.getByText('Paid. Your order is placed.')).toBeVisible()
  await expect(page.getByText('MTN 1GB to 024 555 0142')).toBeVisible()
  const follow = page.getByRole('link', { name: /^Follow order/ })
  const number = /\d+/.exec(String(await follow.textContent()))?.[0] as string
  await follow.click()
  await expect(page).toHaveURL(/\/t\/[A-Za-z0-9]{16,24}$/)
  const link = new URL(page.url()).pathname
  await expectAkosuas(page)
  await page.getByRole('link', { name: 'Back to Akosua Data' }).click()
  await expect(page).toHaveURL(`${address.origin}/`)
  // The next one is called off in the pop-up: the button that pays is in sight, and nothing says that it is paid.
  await expect(page.getByText('Paid. Your order is placed.')).toBeVisible()
  await page.locator('#mtn').getByRole('button').first().click()
  await sheet.getByLabel('Who gets the data?').fill('0245550143')
  const pay = sheet.getByRole('button', { name: /^Pay with mobile money or card/ })
  await pay.click()
  await page.getByTitle('Card payment').contentFrame().getByRole('button', { name: 'Cancel' }).click()
  await expect(sheet.getByText(/^You closed the payment\./)).toBeVisible()
  await expect(pay).toBeInViewport({ ratio: 1 })
  await expect(page.getByText('Paid. Your order is placed.')).toHaveCount(0)
  await sheet.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('link', { name: 'Follow your order' }).click()
  await expectAkosuas(page, 'Track order')

  // The same at the house's address: a link that was passed on, and the shop without its own host name.
  const preview = await (await page.request.get(`${shop.address}${link}`, { headers: { accept: 'text/html' } })).text()
  expect(preview).toContain('<title>Akosua Data</title>')
  expect(preview).not.toContain('rel="manifest"')
  await page.goto(link)
  await expectAkosuas(page)
  await page.getByRole('link', { name: 'Akosua Data', exact: true }).click()
  await expect(page).toHaveURL(/\/s\/kumasi$/)
  await page.getByRole('link', { name: 'Follow your order' }).click()
  await page.getByLabel('Order number or reference').fill(number)
  await page.getByLabel('Receiver phone number').fill('0245550142')
  await page.getByRole('button', { name: 'Track order' }).click()
  await expectAkosuas(page)
  // So it is for who comes by the house's own tracker.
  await page.goto('/track')
  await expect(page.getByRole('link', { name: 'Register' }).first()).toBeVisible()
  await page.getByLabel('Order number or reference').fill(number)
  await page.getByLabel('Receiver phone number').fill('0245550142')
  await page.getByRole('button', { name: 'Track order' }).click()
  await expectAkosuas(page)
  await page.goto('/s/kumasi')
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `http://${host}/`)

  await agent.getByRole('link', { name: 'My Dashboard' }).click()
  await expect(agent.getByText('1 shop order', { exact: true })).toBeVisible()
  await expect(agent.getByText('0 completed, 1 pending')).toBeVisible()
  await agent.getByRole('link', { name: 'All', exact: true }).click()
  await expect(agent.getByText('1GB to Guest')).toBeVisible()
  await expect(agent.getByText('on the way')).toBeVisible()
})

test('a guest who bought far down the page sees at once that it is paid, is asked in right words, and reads later how it ended', async ({
  page,
  shop,
}) => {
  await shop.call('PUT', '/agent-shops/rules', { as: shop.admin, body: { newShops: true } })
  const agent = await shop.makeUser({ level: 'Agent' })
  const look = { slug: 'far-down', name: 'Akosua Far', about: null, colour: 'plum', phone: null, whatsapp: null }
  await shop.call('POST', '/my-shop', { as: agent, body: look })
  await page.goto('/s/far-down')
  // No receipt is sent anywhere, so none is promised.
  await expect(page.getByText(/receipt/i)).toHaveCount(0)
  const sheet = page.getByRole('dialog')
  await page.locator('#afa').getByRole('button').first().click()
  await expect(sheet).toHaveAccessibleName('AFA registration')
  await expect(sheet.getByLabel('Who gets it?')).toBeVisible()
  await expect(sheet.getByText(/receipt/i)).toHaveCount(0)
  await sheet.getByRole('button', { name: 'Close' }).click()
  await page.locator('#airtime').getByRole('button').first().click()
  await sheet.getByLabel('Who gets the airtime?').fill('0245550142')
  await sheet.getByLabel('Your own number').fill('0245550143')
  await sheet.getByRole('button', { name: /^Pay with mobile money or card/ }).click()
  const popup = page.getByTitle('Card payment').contentFrame()
  await popup.getByRole('button', { name: /^Pay .* by card$/ }).click()
  const follow = page.getByRole('link', { name: /^Follow order/ })
  await expect(follow).toBeInViewport()
  await expect(page.getByText('Paid. Your order is placed.')).toBeInViewport()
  // Still so once the sheet's entry in the history is left.
  await page.waitForTimeout(500)
  await expect(follow).toBeInViewport()

  await follow.click()
  await expect(page.getByText('pending')).toBeVisible()
  const number = /\d+/.exec(String(await page.getByText(/^Order \d+/).textContent()))?.[0] as string
  const order = (await shop.ordersOf(shop.admin)).find((one) => one.number === number)
  if (!order) throw new Error('the admin does not see the order')
  await shop.decide(order, 'rejected')
  // The page asks again by itself, well within a minute.
  await expect(page.getByText('Could not be delivered')).toBeVisible({ timeout: 30_000 })
  await page.getByRole('link', { name: 'Back to Akosua Far' }).click()
  await expect(page.getByText('We could not deliver your order.')).toBeVisible()
  await expect(page.getByText('We reach you on 024 555 0143', { exact: false })).toBeVisible()
  await expect(page.getByText('Paid. Your order is placed.')).toHaveCount(0)
})

test('a link that a chat cut short leads to the tracker, and a full stop behind it does no harm', async ({ page, shop }) => {
  const buyer = await shop.makeUser({ balance: 50 })
  const [order] = await shop.buy(buyer, [{}])
  await page.goto(`/t/${order?.reference}.`)
  await expect(page.getByText('pending')).toBeVisible()
  for (const cut of ['/t/', '/t']) {
    const reply = await page.goto(cut)
    expect(reply?.status()).toBe(200)
    await expect(page.getByLabel('Order number or reference')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Register' }).first()).toBeVisible()
  }
})

/** A page of the agent's guest: the agent's name leads back, and nothing leads to the house. */
async function expectAkosuas(page: Page, shows: string | RegExp = /••• ••• •142/) {
  await expect(page.getByText(shows).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Akosua Data', exact: true })).toBeVisible()
  await expect(page).toHaveTitle(/ · Akosua Data$/)
  for (const name of ['Register', 'Sign In', 'Store', 'Go to the store', 'Help'])
    await expect(page.getByRole('link', { name })).toHaveCount(0)
}
