import type { Page } from '@playwright/test'
import { expect, fillBuyPage, logIn, logOut, placedSheet, putIntoCart, shownBalance, test } from './shop.ts'

// Where storage is full or forbidden, or an app around the screen has none, a session lives as long as its tab, and no other tab knows of it.

const TROUBLES = ['localStorage is forbidden', 'all storage is forbidden', 'there is no storage', 'localStorage is full'] as const

for (const trouble of TROUBLES) {
  test(`where ${trouble}, a session and its cart survive a reload, and leave nothing behind`, async ({ page, context, shop }) => {
    await context.addInitScript(spoilStorage, trouble)
    const customer = await shop.makeUser({ balance: 40 })
    await logIn(page, customer)
    await expect(page).toHaveURL('/store')
    await page.getByRole('button', { name: 'I understand' }).click()
    await putIntoCart(page, { phoneNumber: '0551234567' })

    await page.reload()
    await expect(shownBalance(page)).toContainText('¢40.00')
    const cart = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Cart' })
    await expect(cart).toContainText('1 item')
    await (await fillBuyPage(page, { phoneNumber: '0551234568' })).getByRole('button', { name: 'Pay with wallet' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
    await placedSheet(page).getByRole('button', { name: 'Close' }).click()
    await expect(shownBalance(page)).toContainText('¢34.50')
    await cart.click()
    await page.reload()
    await expect(page.getByText('Subtotal (1 item)')).toBeVisible()
    expect(await keptForAll(page)).not.toContain(customer.token)

    const other = await context.newPage()
    await other.goto('/cart')
    await expect(other).toHaveURL('/login?redirect=%2Fcart')
    await other.close()

    await logOut(page)
    await expect(page).toHaveURL('/login')
    expect(await page.evaluate(() => JSON.stringify([history.state, { ...sessionStorage }]))).not.toContain(customer._id)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Login' })).toBeVisible()
  })
}

test('storage that fills up once somebody is signed in loses neither the session nor the cart', async ({ page, shop }) => {
  const customer = await shop.makeUser({ balance: 40 })
  await logIn(page, customer)
  await expect(page).toHaveURL('/store')
  await page.getByRole('button', { name: 'I understand' }).click()
  await page.evaluate(() => {
    for (let size = 2 ** 22; size > 0; size = Math.floor(size / 2)) {
      try {
        localStorage.setItem(`filling ${size}`, 'x'.repeat(size))
      } catch {
        // Half as much may still have room.
      }
    }
  })
  await putIntoCart(page, { phoneNumber: '0551234567' })
  // The file that helps has come, and what this tab keeps is written down.
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('tabOnly'))).toContain('0551234567')
  await page.reload()
  await expect(shownBalance(page)).toContainText('¢40.00')
  await page.goto('/cart')
  await expect(page.getByText('Subtotal (1 item)')).toBeVisible()
  await logOut(page)
  await expect(page).toHaveURL('/login')
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toMatch(/0551234567|userInfo/)
})

function keptForAll(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify({ ...(window as { trueStorage?: Storage }).trueStorage }))
}

/** Runs in every page before its own scripts. */
function spoilStorage(trouble: (typeof TROUBLES)[number]) {
  const put = (name: string, get: () => unknown) => Object.defineProperty(window, name, { configurable: true, get })
  const forbidden = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  // Pages without an address, as in some frames, have no storage in any browser.
  if (location.protocol === 'about:') return
  const full = window.localStorage
  Object.assign(window, { trueStorage: full })
  if (trouble === 'localStorage is forbidden') put('localStorage', forbidden)
  else if (trouble === 'localStorage is full') {
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = function (key, text) {
      if (this === full) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      setItem.call(this, key, text)
    }
  } else for (const name of ['localStorage', 'sessionStorage']) put(name, trouble === 'there is no storage' ? () => null : forbidden)
}
