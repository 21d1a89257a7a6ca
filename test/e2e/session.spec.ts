import type { Page } from '@playwright/test'
import { PASSWORD } from './open-shop.ts'
import {
  alertOf,
  expect,
  firstTile,
  follow,
  keepSession,
  logIn,
  logOut,
  openAccountMenu,
  openStore,
  putIntoCart,
  shownBalance,
  test,
  toastOf,
} from './shop.ts'

const KEPT = ['userInfo', 'cartItems', 'orderHistory', 'CurrUser']

test('logging in opens the store after two seconds, and logging out leaves nothing behind', async ({ page, shop, troubles }) => {
  const customer = await shop.makeUser({ balance: 40 })
  await shop.buy(customer, [{}])

  troubles.expect(/^401 POST \/api\/user\/login$/)
  await logIn(page, customer, 'a wrong password')
  await expect(page.getByRole('alert').first()).toContainText(/phone number or (the )?password/i)
  await expect(page).toHaveURL('/login')

  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(toastOf(page, `Welcome back, ${customer.username}`)).toBeVisible()
  await expect(page).toHaveURL('/store')
  await page.getByRole('button', { name: 'I understand' }).click()
  await expect(shownBalance(page)).toContainText('¢34.50')

  const navigation = page.getByRole('navigation', { name: 'Main' })
  for (const name of ['Store', 'Cart', 'My Dashboard']) await expect(navigation.getByRole('link', { name })).toBeVisible()
  await expect(navigation.getByRole('link', { name: /Admin/ })).toHaveCount(0)
  await openAccountMenu(page)
  await expect(page.getByRole('banner').getByText('Customer', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Become Agent' })).toBeVisible()
  await page.keyboard.press('Escape')

  await putIntoCart(page, { network: 'Telecel', offer: '5GB', phoneNumber: '0201234567' })
  await expect(navigation.getByRole('link', { name: 'Cart' })).toContainText('1 item')
  await navigation.getByRole('link', { name: 'My Dashboard' }).click()
  await expect(page.getByText('Showing 1 of 1 entries')).toBeVisible()
  await expect.poll(() => keptKeys(page)).toEqual(KEPT)

  await logOut(page)
  await expect(page).toHaveURL('/login')
  expect(await keptKeys(page)).toEqual([])
  for (const name of ['Store', 'Login', 'Register']) await expect(navigation.getByRole('link', { name })).toBeVisible()
  await expect(navigation.getByRole('link', { name: 'Cart' })).toHaveCount(0)

  await page.goto('/cart')
  await expect(page).toHaveURL('/login?redirect=%2Fcart')
  expect(await keptKeys(page)).toEqual([])
})

test('an admin sees the Admin Portal and the info link', async ({ page, shop }) => {
  await keepSession(page, shop.admin)
  await page.goto('/store')
  await page.getByRole('button', { name: 'I understand' }).click()
  await openAccountMenu(page)
  await expect(page.getByRole('button', { name: 'Become Agent' })).toHaveCount(0)
  await page.getByRole('banner').getByRole('link', { name: 'Info' }).click()
  await expect(page).toHaveURL('/info')
  await openAccountMenu(page)
  await page.getByRole('banner').getByRole('link', { name: 'Admin Portal' }).click()
  await expect(page).toHaveURL('/admin')
  await expect(page.getByRole('heading', { level: 1, name: 'Needs me' })).toBeVisible()
  const portal = page.getByRole('navigation', { name: 'Admin Portal' })
  const places = await portal.getByRole('link').allInnerTexts()
  expect(places.map((place) => place.split('\n')[0])).toEqual(['Inbox', 'Statistics', 'Orders', 'Finance', 'Products', 'More'])
  await portal.getByRole('link', { name: 'Statistics' }).click()
  await expect(page.getByRole('banner').getByText('Admin Statistics')).toBeVisible()
})

test('staff too come to the store when they log in, and from there to the portal', async ({ page, shop }) => {
  const colleague = await shop.makeUser({ level: 'Admin' })
  await logIn(page, colleague)
  await expect(page).toHaveURL('/store')
  await page.getByRole('button', { name: 'I understand' }).click()
  await openAccountMenu(page)
  await page.getByRole('banner').getByRole('link', { name: 'Admin Portal' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Needs me' })).toBeVisible()
})

test('the address #signout signs out from any screen', { tag: '@desktop' }, async ({ page, shop }) => {
  const customer = await shop.makeUser()
  await keepSession(page, customer)
  await page.goto('/user/finance#signout')
  await expect(page).toHaveURL('/login')
  expect(await keptKeys(page)).toEqual([])
  await expect.poll(async () => (await shop.send('GET', '/api/user', { as: customer })).status).toBe(401)

  await keepSession(page, await shop.makeUser())
  await page.goto('/user/history')
  await page.evaluate(() => {
    window.location.hash = '#signout'
  })
  await expect(page).toHaveURL('/login')
  expect(await keptKeys(page)).toEqual([])
})

for (const address of ['/login', '/register', '/admin', '/info', '/cart', '/']) {
  test(`the address #signout signs out at ${address}, before anything leads elsewhere`, async ({ page, shop }) => {
    const customer = await shop.makeUser()
    await keepSession(page, customer)
    await page.goto(`${address}#signout`)
    await expect(page).toHaveURL('/login')
    await expect(page.getByRole('heading', { level: 1, name: 'Login' })).toBeVisible()
    expect(await keptKeys(page)).toEqual([])
    await expect.poll(async () => (await shop.send('GET', '/api/user', { as: customer })).status).toBe(401)
  })
}

test('each address is open to whom it should be', { tag: '@desktop' }, async ({ browserOf, shop }) => {
  test.slow()
  const visitor = await browserOf(null)
  const customer = await browserOf(await shop.makeUser())
  const admin = await browserOf(shop.admin)
  const everybody = [visitor, customer, admin]

  // For a visitor, for customers without a purchase, and for those with one.
  const home = /affordable data bundles|who needs data/i
  for (const page of everybody) {
    await page.goto('/')
    await expect(page.getByRole('heading', { name: home })).toBeVisible()
  }
  // As links lead there; other journeys load most of these addresses from the shop.
  await test.step('everybody', async () => {
    await opens(everybody, '/store', '/store', 'Store')
    await opens(everybody, '/reset-password/a-token', '/reset-password/a-token', 'Reset Password')
    await opens(everybody, '/', '/', home)
  })
  await test.step('visitors only', async () => {
    await opens([visitor], '/login', '/login', 'Login')
    await opens([customer, admin], '/login', '/', home)
    await opens([visitor], '/register', '/register', 'Register')
    await opens([customer, admin], '/register', '/store', 'Store')
    await opens([customer, admin], '/register?redirect=%2Fcart', '/cart', 'Cart')
  })
  await test.step('the signed-in only', async () => {
    for (const [path, heading] of [
      ['/cart', 'Cart'],
      ['/user/history', 'My Transactions'],
      ['/user/finance', 'My Wallet'],
      ['/user/anything', 'My Transactions'],
      ['/user/my-finances', 'My Wallet'],
    ] as const) {
      await opens([visitor], path, `/login?redirect=${encodeURIComponent(path)}`, 'Login')
      await opens([customer, admin], path, path, heading)
    }
  })
  await test.step('admins only', async () => {
    for (const [path, heading] of [
      ['/admin', 'Needs me'],
      ['/admin/orders', 'Orders'],
      ['/admin/stats', 'Statistics'],
      ['/admin/anything', 'Statistics'],
      ['/admin/settings/anything', 'Statistics'],
      ['/info', 'Notice and payment details'],
    ] as const) {
      await opens([visitor], path, '/login', 'Login')
      await opens([admin], path, path, heading)
    }
  })
})

test('whoever signs in is brought back to where they were going', { tag: '@desktop' }, async ({ page, shop }) => {
  const customer = await shop.makeUser()
  await page.goto('/user/finance')
  await expect(page).toHaveURL('/login?redirect=%2Fuser%2Ffinance')
  await page.getByLabel('Phone number').fill(customer.phone)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL('/user/finance')
})

test('a visitor who chooses a product is brought back to it', async ({ page, shop }) => {
  const customer = await shop.makeUser()
  await page.goto('/store')
  await firstTile(page, 'Telecel').click()
  await page.getByRole('dialog', { name: 'Buy Telecel' }).getByRole('link', { name: 'Login' }).click()
  await page.getByLabel('Phone number').fill(customer.phone)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('button', { name: 'I understand' }).click()
  await expect(page.getByRole('dialog', { name: 'BUY PAGE Telecel' })).toBeVisible()
})

test('after registering nobody is sent to another site', { tag: ['@desktop', '@long'] }, async ({ browserOf, shop }) => {
  test.slow()
  const signedIn = await browserOf(await shop.makeUser())
  await signedIn.goto(`/register?redirect=${encodeURIComponent('/\\evil.example')}`)
  await expect(signedIn).toHaveURL('/store')
  const visitor = await browserOf(null)
  const person = shop.newPerson()
  await visitor.goto(`/register?redirect=${encodeURIComponent('//evil.example')}`)
  await register(visitor, person)
  await expect(visitor).toHaveURL('/store')

  const another = await browserOf(null)
  await another.goto('/register?redirect=%2Fuser%2Ffinance')
  await register(another, shop.newPerson())
  await expect(another).toHaveURL('/user/finance')
})

test('signing out in one tab signs out the other', { tag: '@desktop' }, async ({ page, context, shop }) => {
  const customer = await shop.makeUser()
  await keepSession(page, customer)
  await openStore(page)
  await putIntoCart(page, {})
  const other = await context.newPage()
  await other.goto('/cart')
  await expect(other.getByText('Subtotal (1 item)')).toBeVisible()
  await isLive(other, () => shop.credit(customer, 2), '¢2.00')
  await expect(shownBalance(page)).toContainText('¢2.00')

  await logOut(page)
  await expect(other).toHaveURL('/login')
  expect(await keptKeys(other)).toEqual([])
})

test('a tab that opens while another signs out is signed out without a word', { tag: '@desktop' }, async ({
  page,
  context,
  shop,
  troubles,
}) => {
  await keepSession(page, await shop.makeUser())
  await openStore(page)
  const other = await context.newPage()
  // As in a tab that is not yet listening when the other one signs out.
  await other.addInitScript(() => addEventListener('storage', (event) => event.stopImmediatePropagation(), true))
  const { promise: signedOut, resolve: goOn } = Promise.withResolvers<void>()
  let held = 0
  // Nor is it told by the shop: it is to find out by what it asks.
  await other.route('**/socket.io/**', (route) => route.abort('aborted'))
  await other.route('**/api/**', async (route) => {
    held += 1
    await signedOut
    await route.continue()
  })
  await other.goto('/user/history')
  await expect.poll(() => held).toBeGreaterThan(0)
  await logOut(page)
  await expect(page).toHaveURL('/login')

  troubles.expect(/^401 GET \/api\//)
  goOn()
  await expect(other).toHaveURL(/\/login/)
  await expect(other.getByRole('button', { name: 'Login' })).toBeVisible()
  // At once: a toast would go by itself.
  expect(await other.getByText('session has ended').count()).toBe(0)
  expect(await keptKeys(other)).toEqual([])
})

test('a forgotten password is chosen anew by the link in a mail, once', async ({ page, browserOf, shop, troubles }) => {
  const customer = await shop.makeUser()
  const elsewhere = await browserOf(customer)
  await elsewhere.goto('/user/finance')
  await expect(shownBalance(elsewhere)).toBeVisible()

  await page.goto('/login')
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await expect(page.getByRole('heading', { name: 'Reset Password' })).toBeVisible()
  const send = page.getByRole('button', { name: 'Send Reset Email' })
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  await page.getByRole('button', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Email').fill('not an address')
  await send.click()
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/Enter a valid e-mail address/)
  await page.getByLabel('Email').fill(customer.email)
  await send.click()
  await expect(toastOf(page, 'Password reset email sent. Please check your inbox.')).toBeVisible()

  let link = ''
  await expect(async () => {
    const mail = (await shop.outbox()).find((message) => message.to === customer.email)
    link = mail?.body.match(/http\S+\/reset-password\/\S+/)?.[0] ?? ''
    expect(link).not.toBe('')
  }).toPass()

  await page.goto(link)
  const fields = ['New Password', 'Confirm Password'].map((name) => page.getByLabel(name, { exact: true }))
  const [chosen, again] = fields as [(typeof fields)[0], (typeof fields)[0]]
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(chosen).toHaveAccessibleDescription(/at least 8 characters/i)
  await chosen.fill('a newer password')
  await again.fill('a newer passwort')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(alertOf(page, 'Passwords do not match')).toBeVisible()
  await again.fill('a newer password')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(page.getByRole('main').getByRole('link', { name: 'Login' })).toBeVisible()

  // A reset ends every session, the one in the other browser too.
  await expect(elsewhere).toHaveURL('/login')

  troubles.expect(/^40\d POST \/api\/user\/reset-password\//)
  await page.goto(link)
  await chosen.fill('yet another password')
  await again.fill('yet another password')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expect(alertOf(page, 'Error resetting password')).toBeVisible()

  await logIn(page, customer, 'a newer password')
  await expect(page).toHaveURL('/store')
})

async function register(page: Page, person: { username: string; phone: string; email: string }) {
  await page.getByLabel('Username').fill(person.username)
  await page.getByLabel('Phone number').fill(person.phone)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Register' }).click()
}

async function opens(pages: Page[], address: string, lands: string, heading: string | RegExp) {
  for (const page of pages) {
    await follow(page, address)
    await expect(page.getByRole('heading', { level: 1, name: heading }), address).toBeVisible()
    await expect(page).toHaveURL(lands)
  }
}

/** The realtime channel is open once something came through it. */
async function isLive(page: Page, change: () => Promise<unknown>, balance: string) {
  await change()
  await expect(shownBalance(page)).toContainText(balance)
}

/** Which of the kept keys hold something, in the order of `KEPT`. */
async function keptKeys(page: Page): Promise<string[]> {
  const keys = await page.evaluate(() => Object.keys(localStorage))
  return KEPT.filter((key) => keys.includes(key))
}

test('a refused login leaves its button where it was', async ({ page, troubles }) => {
  troubles.expect(/^401 POST \/api\/user\/login$/)
  await page.goto('/login')
  await page.getByLabel('Phone number').fill('0241239999')
  await page.getByLabel('Password', { exact: true }).fill('not this one')
  const login = page.getByRole('button', { name: 'Login' })
  const before = await login.boundingBox()
  await login.click()
  await expect(page.getByRole('main').getByText('Wrong phone number or password.')).toBeVisible()
  expect(await login.boundingBox()).toEqual(before)
})
