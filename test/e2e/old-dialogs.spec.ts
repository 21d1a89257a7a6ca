import type { Page } from '@playwright/test'
import { expect, firstTile, keepSession, openStore, test } from './shop.ts'

// Today's browser without what Firefox before 98 and Safari before 15.4 lack. It still hides a closed dialog by itself.
test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['showModal', 'close', 'show'] as const) delete (HTMLDialogElement.prototype as Partial<HTMLDialogElement>)[name]
    delete (Object as { groupBy?: unknown }).groupBy
  })
})

test('a browser without dialogs buys, asks and closes as others do', async ({ page, shop }) => {
  await keepSession(page, await shop.makeUser({ balance: 30 }))
  await openStore(page)
  await firstTile(page, 'MTN').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('textbox').first().fill('0241234567')
  for (let times = 0; times < 12; times++) await page.keyboard.press('Tab')
  expect(await hasFocus(page)).toBe(true)

  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await firstTile(page, 'MTN').click()
  await page.mouse.click(5, 5)
  await expect(dialog).toHaveCount(0)

  await firstTile(page, 'MTN').click()
  await dialog.getByRole('textbox').first().fill('0241234567')
  await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
  await expect(page.getByText('Your order is placed successfully')).toBeVisible()
  expect(await page.locator('.dialog-backdrop').count()).toBe(await page.locator('dialog[open]').count())
})

function hasFocus(page: Page): Promise<boolean> {
  return page.evaluate(() => document.activeElement?.closest('dialog') !== null)
}
