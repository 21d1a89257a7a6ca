import type { Page } from '@playwright/test'
import { expect, test } from './shop.ts'

test('on a slow line no screen jumps while it loads, for visitors and customers', async ({ page, shop, browserOf }) => {
  test.slow()
  expect(await shiftsOf(page, ['/login'])).toEqual({})
  const customer = await shop.makeUser({ balance: 20 })
  await shop.buy(customer, [{}])
  expect(await shiftsOf(await browserOf(customer), ['/cart', '/user/finance', '/user/account'])).toEqual({})
})

/** The layout shifts of each screen that jumps by more than a hundredth, as browsers count them. */
async function shiftsOf(page: Page, paths: string[]): Promise<Record<string, number>> {
  const line = await page.context().newCDPSession(page)
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 200,
    downloadThroughput: 100_000,
    uploadThroughput: 50_000,
  })
  await page.addInitScript(() => {
    const seen = { sum: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as (PerformanceEntry & { value: number })[]) seen.sum += shift.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const found: Record<string, number> = {}
  for (const path of paths) {
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect(page.locator('main .skeleton')).toHaveCount(0)
    const sum = await page.evaluate(() => (window as unknown as { seen: { sum: number } }).seen.sum)
    if (sum > 0.01) found[path] = sum
  }
  return found
}

test('a password manager keeps for Register what Login asks for, and knows whose password every form is about', async ({
  page,
  shop,
  browserOf,
}) => {
  const login = 'input[autocomplete=username]'
  for (const path of ['/register', '/login']) {
    await page.goto(path)
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
    await expect(page.locator(login)).toHaveCount(1)
    await expect(page.locator(login)).toHaveAttribute('type', 'tel')
  }
  const customer = await shop.makeUser()
  const own = await browserOf(customer)
  await own.goto('/user/account')
  const forms = own.locator('form').filter({ has: own.locator('input[autocomplete=current-password]') })
  await expect(forms.first()).toBeVisible()
  for (const form of await forms.all()) await expect(form.locator(login)).toHaveValue(customer.phone)

  // The menu leaves its button free, which closes it.
  const button = own.getByRole('button', { name: 'Account', exact: true })
  await button.click()
  await expect(own.locator('#account-menu')).toBeVisible()
  await button.click()
  await expect(own.locator('#account-menu')).toBeHidden()
})
