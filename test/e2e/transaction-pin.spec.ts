import { check } from './check-accessibility.ts'
import { codeSentTo, openShopOf } from './earning-shop.ts'
import { answer, expect, fillBuyPage, keepSession, openStore, placedSheet, shownBalance, test, toastOf } from './shop.ts'

const PASSWORD = 'a good password'

test('a PIN is set in the account, asked for before the wallet pays, and locks after five wrong ones', { tag: '@long' }, async ({
  page,
  shop,
  troubles,
}) => {
  test.slow()
  const customer = await shop.makeUser({ balance: 20 })
  await keepSession(page, customer)
  await page.goto('/user/account')
  await page.getByRole('button', { name: 'Set a PIN' }).click()
  const pin = page.getByLabel('New PIN', { exact: true })
  await page.getByLabel('Your password').fill(PASSWORD)
  await pin.fill('1234')
  await page.getByLabel('New PIN again').fill('1234')
  await page.getByRole('button', { name: 'Save PIN' }).click()
  await expect(pin).toHaveAccessibleDescription(/easy to guess/)
  await pin.fill('7392')
  await page.getByLabel('New PIN again').fill('7392')
  await check(page, 'a PIN that is set')
  await page.getByRole('button', { name: 'Save PIN' }).click()
  await expect(page.getByText('We ask for it before you pay from your wallet.')).toBeVisible()
  await check(page, 'an account with a PIN')

  await openStore(page)
  const dialog = await fillBuyPage(page)
  for (const refusal of [
    /^403 POST \/api\/order\/checkout$/,
    /^400 POST \/api\/user\/me\/pin\/proof$/,
    /^429 POST \/api\/user\/me\/pin\/proof$/,
  ]) {
    troubles.expect(refusal)
  }
  await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
  await answer(page, /wallet/i)
  const sheet = page.getByRole('dialog', { name: 'Enter your PIN' })
  await expect(sheet.getByLabel('Your PIN')).toBeFocused()
  await check(page, 'the question for the PIN')
  await page.keyboard.type('15a97')
  await page.keyboard.press('Enter')
  await expect(sheet.getByLabel('Your PIN')).toHaveAccessibleDescription(/You have 4 tries left/)
  await expect(sheet.getByLabel('Your PIN')).toHaveValue('')
  await sheet.getByLabel('Your PIN').fill('7392')
  await sheet.getByRole('button', { name: 'Go on' }).click()
  await expect(placedSheet(page)).toBeVisible()
  await expect(shownBalance(page)).toContainText('14.50')

  // Loaded anew at its own address, the BUY PAGE would open before or after the press on a tile.
  await page.goto('/store')
  const again = await fillBuyPage(page, { phoneNumber: '0551234568' })
  await again.getByRole('button', { name: 'Pay with wallet' }).click()
  await answer(page, /wallet/i)
  for (const wrong of ['1597', '1598', '1599', '1590', '1591']) {
    await expect(sheet.getByLabel('Your PIN')).toHaveValue('')
    await sheet.getByLabel('Your PIN').fill(wrong)
    await page.keyboard.press('Enter')
  }
  await expect(sheet.getByRole('alert')).toContainText('your PIN is locked. You can try again from')
  await expect(sheet.getByRole('button', { name: 'Go on' })).toBeHidden()
  await check(page, 'a locked PIN')
  await sheet.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Please enter your PIN. Nothing was charged.').first()).toBeVisible()
  expect(await shop.balanceOf(customer)).toBe(14.5)
})

test('whoever forgot the PIN while paying is led to choosing a new one', { tag: '@long' }, async ({ page, shop, troubles }) => {
  const customer = await shop.makeUser({ balance: 20 })
  await shop.call('POST', '/user/me/pin', { as: customer, body: { password: PASSWORD, pin: '7392', atCheckout: true } })
  await keepSession(page, customer)
  await openStore(page)
  troubles.expect(/^403 POST \/api\/order\/checkout$/)
  const dialog = await fillBuyPage(page)
  await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
  await answer(page, /wallet/i)
  await page.getByRole('dialog', { name: 'Enter your PIN' }).getByRole('button', { name: 'Forgot your PIN?' }).click()
  await expect(page).toHaveURL('/user/account')
  await expect(page.getByLabel('Your password')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Go on' })).toBeVisible()
  expect(await shop.balanceOf(customer)).toBe(20)
})

test('an agent sets a PIN, pays with it, and withdraws earnings with it: without it nothing leaves', { tag: '@long' }, async ({
  page,
  shop,
  troubles,
}) => {
  test.slow()
  const agent = await shop.makeUser({ level: 'Agent', balance: 20 })
  await openShopOf(shop, agent._id, 412_80)
  await keepSession(page, agent)
  await page.goto('/user/account')
  await page.getByRole('button', { name: 'Set a PIN' }).click()
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByLabel('New PIN', { exact: true }).fill('7392')
  await page.getByLabel('New PIN again').fill('7392')
  await page.getByRole('button', { name: 'Save PIN' }).click()
  await expect(page.getByText('We ask for it before you pay from your wallet.')).toBeVisible()

  const sheet = page.getByRole('dialog', { name: 'Enter your PIN' })
  troubles.expect(/^403 POST \/api\/order\/checkout$/)
  troubles.expect(/^403 POST \/api\/earnings\/withdrawals$/)
  troubles.expect(/^400 POST \/api\/user\/me\/pin\/proof$/)
  await openStore(page)
  const dialog = await fillBuyPage(page)
  await dialog.getByRole('button', { name: 'Pay with wallet' }).click()
  await answer(page, /wallet/i)
  await sheet.getByLabel('Your PIN').fill('7392')
  await sheet.getByRole('button', { name: 'Go on' }).click()
  await expect(placedSheet(page)).toBeVisible()
  expect(await shop.balanceOf(agent)).toBeLessThan(20)

  await page.goto('/agent/earnings')
  await page.getByRole('link', { name: /^Withdraw/ }).click()
  await page.getByLabel('Mobile money number').fill('0245550101')
  await page.getByLabel('Name on that number').fill('Akosua Frimpong')
  await page.getByLabel('How much?').fill('20')
  const sent = () => shop.call<unknown[]>('GET', '/earnings/withdrawals', { as: agent })
  const withdraw = page.getByRole('button', { name: /^Withdraw/ })
  await withdraw.click()
  await answer(page, 'Send ¢19.00 to this number?')
  await expect.poll(codeSentTo(shop, '0245550101')).toMatch(/^\d{6}$/)
  await page.getByLabel('Code from the message').fill(await codeSentTo(shop, '0245550101')())
  await expect(sheet).toBeVisible()
  await check(page, 'the question for the PIN of a withdrawal')
  await sheet.getByLabel('Your PIN').fill('1597')
  await sheet.getByRole('button', { name: 'Go on' }).click()
  await expect(sheet.getByLabel('Your PIN')).toHaveAccessibleDescription(/You have 4 tries left/)
  expect(await sent()).toEqual([])
  await sheet.getByLabel('Your PIN').fill('7392')
  await sheet.getByRole('button', { name: 'Go on' }).click()
  await expect(toastOf(page, '¢19.00 is on its way to your phone.')).toBeVisible()
  expect(await sent()).toHaveLength(1)
})
