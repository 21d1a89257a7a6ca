import { readFile } from 'node:fs/promises'
import { readSheet } from 'read-excel-file/node'
import { answer, expect, keepSession, test, toastOf } from './shop.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('a network’s orders go to its portal as a file, come back as its answers, and their buyers read what became of them', {
  tag: '@long',
}, async ({ page, shop, browserOf }) => {
  const buyer = await shop.makeUser({ balance: 100 })
  const orders = await shop.buy(buyer, [
    { offer: '1GB', phoneNumber: '0241234567' },
    { offer: '2GB', phoneNumber: '0241234567' },
    { offer: '1GB', phoneNumber: '0559876543' },
    { offer: '3GB', phoneNumber: '0591112223' },
  ])
  await expect
    .poll(async () => (await shop.call<{ ordersToRelay: number }>('GET', '/admin/jobs', { as: shop.admin })).ordersToRelay)
    .toBe(0)
  await keepSession(page, shop.admin)
  await page.goto(`/admin/orders?search=${encodeURIComponent(buyer.username)}`)
  await page.getByRole('button', { name: 'Select', exact: true }).click()
  await page.getByLabel('Select all 4').check()
  await page.getByRole('region', { name: 'Selected orders' }).getByRole('button', { name: 'Batch' }).click()
  await expect(page.getByRole('heading', { name: /^Batch \d+$/ })).toBeVisible()
  const batch = new URL(page.url()).pathname
  await page.goto('/admin/batches')
  await page.getByRole('list', { name: 'Batches' }).locator(`a[href="${batch}"]`).click()
  await expect(page.getByRole('heading', { name: /^Batch \d+$/ })).toBeVisible()

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'XLSX' }).click()
  const rows = await readSheet(await readFile(await (await saved).path()))
  expect(rows).toEqual([
    ['Number', 'GB'],
    ['0241234567', '1'],
    ['0241234567', '2'],
    ['0559876543', '1'],
    ['0591112223', '3'],
  ])

  const answers = 'Number,GB,Status\n+233241234567,2,Success\n0241234567,1,Success\n'
  await page.getByLabel('Result file').setInputFiles({ name: 'results.csv', mimeType: 'text/csv', buffer: Buffer.from(answers) })
  await page.getByRole('dialog', { name: 'Check the results' }).getByRole('button', { name: 'Use 2 rows' }).click()
  await page.getByLabel('Results from the portal').pressSequentially('055 987 6543 1GB failed: number barred')
  await expect(page.getByRole('status').filter({ hasText: 'delivered' })).toHaveText('2 delivered1 failed1 not mentioned')
  await page.getByRole('button', { name: /^Complete 2/ }).click()
  await answer(page, 'Are you sure you want to complete 2 orders?')
  await expect(toastOf(page, '2 orders completed')).toBeVisible()
  await page.getByRole('button', { name: 'Refund 1…' }).click()
  await answer(page, 'Are you sure you want to refund 1 order?')
  await expect(toastOf(page, '1 order refunded')).toBeVisible()
  expect((await shop.ordersOf(buyer)).map(({ status }) => status)).toEqual(['pending', 'rejected', 'completed', 'completed'])

  const theirs = await browserOf(buyer)
  await theirs.goto(`/order/${orders[2]?.number}`)
  await expect(theirs.getByText('MTN could not load 1GB to 055 987 6543: number barred.')).toBeVisible()

  await page.goto(`/admin/orders/${orders[3]?.number}`)
  await page.getByRole('link', { name: 'Open batch' }).click()
  await page.getByRole('button', { name: 'Release 1' }).click()
  await answer(page, 'Are you sure you want to release 1 order?')
  await expect(page.getByRole('row', { name: /059 111 2223/ })).toContainText('Released')
  expect((await shop.ordersOf(buyer))[0]?.status).toBe('pending')
})
