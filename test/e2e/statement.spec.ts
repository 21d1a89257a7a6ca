import { readFile } from 'node:fs/promises'
import { check } from './check-accessibility.ts'
import { entriesOf, expect, keepSession, test } from './shop.ts'

test('the statement shows every movement with the balance after it, follows what happens, and is saved as a file', async ({
  page,
  shop,
}) => {
  const customer = await shop.makeUser()
  await keepSession(page, customer)
  await page.goto('/user/finance')
  const statement = page.getByRole('region', { name: 'Statement' })
  await expect(statement.getByText('Nothing has moved yet')).toBeVisible()

  await shop.decideRecharge(await shop.requestRecharge(customer, 100), 'approve')
  const lines = entriesOf(page, 'Statement')
  await expect(lines).toHaveText([/Recharge.*\+¢100\.00.*Balance ¢100\.00/s])
  const [order] = await shop.buy(customer, [{ phoneNumber: '0551112223' }])
  await expect(lines).toHaveText([/Order.*-¢5\.50.*MTN 1GB to 0551112223.*Balance ¢94\.50/s, /Recharge/])
  await check(page, 'a wallet with a statement')

  await statement.getByRole('searchbox', { name: 'Search my statement' }).fill('055 111 2223')
  await expect(lines).toHaveCount(1)
  await expect(lines).toContainText(order?.number ?? 'no order')
  const [download] = await Promise.all([page.waitForEvent('download'), statement.getByRole('button', { name: 'CSV' }).click()])
  expect(download.suggestedFilename()).toBe('dwadi-statement.csv')
  const file = await readFile(await download.path(), 'utf8')
  expect(file).toContain(',Order,MTN 1GB to 0551112223,')
  expect(file).not.toContain('Recharge')

  await statement.getByRole('searchbox').fill('')
  await statement.getByLabel('Month').selectOption({ index: 2 })
  await expect(statement.getByText('Nothing moved in that month')).toBeVisible()
  await statement.getByLabel('Month').selectOption({ index: 0 })
  await expect(lines).toHaveCount(2)
})
