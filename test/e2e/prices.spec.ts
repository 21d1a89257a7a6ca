import type { Page } from '@playwright/test'
import type { PricesReply } from '../../shared/prices.ts'
import { expect, keepSession, test, toastOf } from './shop.ts'

test('the owner raises a network by 5 % in three presses, types on, reads a list, undoes and schedules', async ({
  page,
  browserOf,
  shop,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  page.on('dialog', (dialog) => void dialog.accept())
  await keepSession(page, shop.admin)
  await page.goto('/admin/products')
  const other = page.getByRole('button', { name: 'Telecel', exact: true })
  await other.click()
  const grid = page.getByRole('grid', { name: 'Prices of Telecel' })
  const cell = (offer: string, field: string) => grid.getByRole('textbox', { name: `${offer} ${field}`, exact: true })
  const customer = (offer: string) => cell(offer, 'customer price')
  await expect(customer('5GB')).toHaveValue('24.50')

  await test.step('three presses', async () => {
    await page.getByRole('button', { name: '+5 %' }).click()
    await expect(customer('5GB')).toHaveValue('25.70')
    await page.getByRole('button', { name: 'Publish 18' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question.getByRole('row', { name: /^5GB/ })).toContainText('24.50 25.70')
    await question.getByRole('button', { name: 'Yes', exact: true }).click()
    await expect(toastOf(page, '18 new prices on Telecel: live now')).toBeVisible()
    expect(await pricesOf(shop, '5GB')).toMatchObject({ priceCustomer: 25.7, priceAgent: 22.6 })
  })

  await test.step('back again', async () => {
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes', exact: true }).click()
    await expect(toastOf(page, 'The old prices are back')).toBeVisible()
    await expect(customer('5GB')).toHaveValue('24.50')
  })

  await test.step('by keyboard, and through a reload', async () => {
    await cell('5GB', 'cost').fill('21')
    await page.keyboard.press('Tab')
    await expect(customer('5GB')).toBeFocused()
    await page.keyboard.type('20')
    await page.keyboard.press('Enter')
    await expect(customer('10GB')).toBeFocused()
    await page.keyboard.type('99')
    await page.keyboard.press('Escape')
    await expect(customer('10GB')).toHaveValue('43.50')
    await page.keyboard.press('ArrowRight')
    await expect(cell('10GB', 'agent price')).toBeFocused()
    await page.keyboard.type('4x')
    await page.keyboard.press('ArrowUp')
    await expect(cell('10GB', 'agent price')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByRole('button', { name: 'Publish 2' })).toBeDisabled()
    await cell('10GB', 'agent price').focus()
    await page.keyboard.press('Escape')
    await page.reload()
    await expect(customer('5GB')).toHaveValue('20.00')
    await page.getByRole('button', { name: 'Publish 2' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('5GB: customers pay ¢20.00, below its cost of ¢21.00')
    await page.getByRole('alertdialog').getByRole('button', { name: 'No', exact: true }).click()
    await customer('5GB').focus()
    await page.keyboard.press('Control+z')
  })

  await test.step('a list from WhatsApp', async () => {
    await page.getByRole('button', { name: 'Undo all' }).click()
    await page.getByRole('button', { name: 'Paste a price list' }).click()
    const dialog = page.getByRole('dialog', { name: 'Paste a price list' })
    await dialog.getByLabel('The list, from WhatsApp or a spreadsheet').fill('🔥 TELECEL\n5GB - 25.00/22\n7GB 30/29')
    await dialog.getByLabel('The 2 prices on a line are').selectOption('Customer price, then Agent price')
    await expect(dialog).toContainText('Line 3: You have no package of 7GB.7GB 30/29')
    await dialog.getByRole('button', { name: 'Use 1 line' }).click()
    await expect(cell('5GB', 'agent price')).toHaveValue('22.00')
  })

  await test.step('another admin was faster', async () => {
    const { products } = await shop.call<PricesReply>('GET', '/admin/prices', { as: shop.admin })
    const productId = products.find(({ network }) => network === 'Telecel')?._id
    const changes = [{ productId, offer: '5GB', priceCustomer: { from: 24.5, to: 24.9 } }]
    await shop.call('POST', '/admin/prices/publish', { as: shop.admin, body: { changes } })
    await expect(page.getByText('Somebody else has changed 5GB meanwhile.')).toBeVisible()
    await page.getByRole('button', { name: 'Keep my prices' }).click()
    await expect(page.getByRole('button', { name: 'Publish 2' })).toBeEnabled()
  })

  await test.step('hidden, and at a time to come', async () => {
    const theirs = await browserOf(await shop.makeUser())
    await theirs.goto('/store')
    const ticket = theirs
      .getByRole('region', { name: /^Telecel/ })
      .getByRole('button', { name: /5GB/ })
      .first()
    await expect(ticket).toBeVisible()
    await page.getByRole('switch', { name: '100GB shown' }).click()
    await publish(page, 'Publish 3')
    await expect(toastOf(page, '2 new prices, 1 shown or hidden on Telecel: live now')).toBeVisible()
    await expect(theirs.getByRole('region', { name: /^Telecel/ })).not.toContainText('100GB')
    await page.getByRole('button', { name: '−5 %' }).click()
    await page.getByRole('button', { name: 'Schedule' }).click()
    await page
      .getByRole('dialog', { name: 'Schedule prices' })
      .getByRole('button', { name: /^Schedule for .*6:00am$/ })
      .click()
    const waiting = page.getByRole('status').filter({ hasText: 'packages of Telecel: new prices from' })
    await expect(waiting).toContainText('scheduled them')
    await waiting.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes', exact: true }).click()
    await expect(waiting).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes', exact: true }).click()
    await expect(theirs.getByRole('region', { name: /^Telecel/ })).toContainText('100GB')
  })
  // Other journeys of this shop buy at the usual price.
  await shop.setPrice('Telecel', '5GB', 24.5)
})

async function publish(page: Page, name: string) {
  await page.getByRole('button', { name }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes', exact: true }).click()
}

async function pricesOf(shop: { findProduct: (network: string) => Promise<{ packages: { offer: string }[] }> }, offer: string) {
  return (await shop.findProduct('Telecel')).packages.find((line) => line.offer === offer)
}
