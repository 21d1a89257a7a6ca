import { check } from './check-accessibility.ts'
import { answer, expect, fillBuyPage, keepSession, openStore, placedSheet, shownBalance, test } from './shop.ts'

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

  await page.reload()
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
  await sheet.getByRole('button', { name: 'Not now' }).click()
  await expect(page.getByText('Please enter your PIN. Nothing was charged.').first()).toBeVisible()
  expect(await shop.balanceOf(customer)).toBe(14.5)
})
