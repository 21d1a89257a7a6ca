import { openShopOf } from './earning-shop.ts'
import { expect, keepSession, test } from './shop.ts'

test.use({ viewport: { width: 360, height: 740 } })

test('talk that holds up a list stands first and is answered by one press; a group that cannot be saved says so beside the button', async ({
  page,
  shop,
}) => {
  await keepSession(page, await shop.makeUser({ level: 'Agent', balance: 100 }))
  await page.goto('/agent/bulk')
  await page.getByLabel('One number a line').fill('Ama 0244123456 5gb\nYaw 0551234567 2gb\nthe last one is not for me')
  await page.getByRole('button', { name: 'Check 3 lines' }).click()
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Read this first')
  await page.getByRole('button', { name: 'It changes nothing' }).click()
  await expect(page.getByRole('button', { name: /^Pay for 2 lines/ })).toBeEnabled()

  await page.goto('/agent/bulk/groups/new')
  await page.getByLabel('Name').fill('Staff')
  await page.getByLabel('One number a line').fill('0244123456 5gb\n024412345 1gb')
  await page.getByRole('button', { name: 'Save group' }).click()
  const refusal = page.getByText('1 line can’t be saved. Mend or remove it first.')
  await expect(refusal).toBeInViewport()
  await page.getByLabel('One number a line').fill('0244123456 5gb')
  await expect(refusal).toHaveCount(0)
})

test('too little to withdraw says what is missing, and an amount below the least promises nothing', async ({ page, shop }) => {
  const agent = await shop.makeUser({ level: 'Agent' })
  await openShopOf(shop, agent._id, 9_97)
  await keepSession(page, agent)
  await page.goto('/agent/earnings/withdraw')
  await expect(page.getByText('You can withdraw from ¢20.00 on')).toBeVisible()
  await expect(page.getByText('You have ¢9.97. Another ¢10.03, and it can go to your phone.')).toBeVisible()
  await shop.sql(
    `select post_entry('more:' || s.id, 'admin-credit', 'More', null, array[6, w.account_id], array[-5000::bigint, 5000::bigint], now())
     from agent_shops s join wallets w on w.shop_id = s.id where s.owner_id = $1`,
    [agent._id],
  )
  await page.reload()
  await page.getByLabel('How much?').fill('19.99')
  await expect(page.getByText('The least is ¢20.00.')).toBeVisible()
  await expect(page.getByText(/^Usually paid/)).toHaveCount(0)
  await expect(page.getByText('¢18.99')).toHaveCount(0)
})

test('a guest who pays is not told behind the sheet that nothing was charged', async ({ page, shop }) => {
  const agent = await shop.makeUser({ level: 'Agent' })
  await shop.call('PUT', '/agent-shops/rules', { as: shop.admin, body: { newShops: true } })
  const body = { slug: 'ends', name: 'Ends Data', about: null, colour: 'plum', phone: null, whatsapp: null }
  await shop.call('POST', '/my-shop', { as: agent, body })
  await page.goto('/s/ends')
  await page.locator('#mtn').getByRole('button').first().click()
  const sheet = page.getByRole('dialog', { name: /^MTN/ })
  await sheet.getByLabel('Who gets the data?').fill('0245550142')
  await sheet.getByRole('button', { name: /^Pay with mobile money or card/ }).click()
  const popup = page.getByTitle('Card payment').contentFrame()
  await expect(popup.getByRole('button', { name: /^Pay .* by card$/ })).toBeVisible()
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/shops/payment/*/confirm', async (route) => {
    await held
    await route.continue()
  })
  await popup.getByRole('button', { name: /^Pay .* by card$/ }).click()
  await expect(sheet.getByText('Checking your payment…')).toBeVisible()
  await expect(page.getByText(/isn’t finished/)).toHaveCount(0)
  answer()
  await expect(page.getByText('Paid. Your order is placed.')).toBeVisible()
})

test('whoever opens an agent’s invitation without an account reads what it is, also where they register', async ({ page }) => {
  await page.goto('/join/abcdefghjkmnpqrstuvwxyz2')
  await expect(page.getByText('Somebody invites you to sell data with them.', { exact: false })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
  await expect(page.getByText('After that, you see on what terms you would sell.', { exact: false })).toBeVisible()
  await page.goto('/login')
  await expect(page.getByText('Welcome back. Your wallet is waiting.')).toBeVisible()
})
