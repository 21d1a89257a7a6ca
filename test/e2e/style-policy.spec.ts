import { chunkOf } from './chunks.ts'
import { expect, keepSession, test } from './shop.ts'

// No page may bring a style along that the shop has not named; the card provider's waiting screen is named.

const PROVIDER = 'https://checkout.paystack.com'

test("the card provider's own library opens on a page of the shop, with its waiting screen, and pays", async ({ page, shop }) => {
  const customer = await shop.makeUser()
  await keepSession(page, customer)
  // The library's address of the pop-up is compiled in, so the browser is sent to the simulator's instead.
  const { promise: shown, resolve: goOn } = Promise.withResolvers<void>()
  await page.route(`${PROVIDER}/**`, async (route) => {
    await shown
    const { pathname } = new URL(route.request().url())
    const response = await route.fetch({ url: shop.address + (pathname === '/popup' ? '/sandbox/card/popup' : pathname) })
    const { 'content-security-policy': _, 'x-frame-options': __, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
  await page.goto('/user/history')
  const { accessCode } = await shop.call<{ accessCode: string }>('POST', '/payment', { as: customer, body: { purpose: 'agent-upgrade' } })
  await page.evaluate(
    async ([file, code]) => {
      const { livePopup } = await import(file)
      Object.assign(window, { outcome: livePopup().open(code) })
    },
    [chunkOf('live-popup'), accessCode] as const,
  )

  const waiting = page.frameLocator('iframe[id^="inline-background"]').locator('.app-loader')
  await expect(waiting).toHaveCSS('text-align', 'center')
  await expect(waiting.locator('.app-loader__spinner div').first()).toHaveCSS('animation-name', 'app-loader__spinner')
  const frame = page.locator(`iframe[src^="${PROVIDER}"]`)
  await expect(frame).toHaveCSS('position', 'fixed')

  goOn()
  await page
    .frameLocator(`iframe[src^="${PROVIDER}"]`)
    .getByRole('button', { name: /^Pay .* by card$/ })
    .click()
  expect(await page.evaluate(() => (window as unknown as { outcome: Promise<object> }).outcome)).toEqual({ result: 'success' })
})

test('a style that comes with what somebody wrote is not applied', { tag: '@desktop' }, async ({ page, troubles }) => {
  troubles.expect(/content security policy: style-src-(elem|attr) forbids inline/)
  troubles.expect(/console: Applying inline style violates/)
  await page.goto('/store')
  const colours = await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<style>#probe{color:rgb(1,2,3)}</style><p id="probe" style="background:rgb(4,5,6)">x</p>',
    )
    const { color, backgroundColor } = getComputedStyle(document.getElementById('probe') as HTMLElement)
    return [color, backgroundColor]
  })
  expect(colours).not.toContain('rgb(1, 2, 3)')
  expect(colours).not.toContain('rgb(4, 5, 6)')
})

test('every page is served with the names of its own styles alone', { tag: '@desktop' }, async ({ shop }) => {
  for (const path of ['/', '/store', '/login', '/admin/orders', '/no-such-page']) {
    const policy = (await fetch(`${shop.address}${path}`, { headers: { accept: 'text/html' } })).headers.get('content-security-policy')
    expect(policy).toMatch(/;style-src 'self' 'sha256-[^']+' 'sha256-[^']+';/)
    expect(policy).not.toContain('unsafe')
  }
})
