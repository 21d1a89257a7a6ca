import { Secret, TOTP } from 'otpauth'
import { expect, keepSession, logIn, logOut, test } from './shop.ts'

test('an owner signs in with a code and lets somebody in, who sees the screens of their role alone', async ({ page, shop, troubles }) => {
  // The password alone is not enough.
  troubles.expect(/^401 POST \/api\/user\/login$/)
  const owner = await shop.makeUser({ level: 'Admin' })
  const helper = await shop.makeUser()
  await keepSession(page, owner)

  await page.goto('/admin/code')
  await page.getByRole('button', { name: 'Set up a code' }).click()
  const key = (await page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) as string
  const app = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) })
  await page.getByLabel('6-digit code').fill(app.generate())
  await page.getByRole('button', { name: 'Switch the code on' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: /^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/ })).toHaveCount(10)
  const recoveryCode = (await page.getByRole('listitem').filter({ hasText: /-/ }).first().textContent()) as string
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(page.getByText('You have 10 of 10 recovery codes left.')).toBeVisible()

  await page.goto('/admin/more')
  await page.getByRole('button', { name: 'Logout' }).click()
  await logIn(page, owner)
  await page.getByLabel('Code', { exact: true }).fill(recoveryCode.toLowerCase())
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText(`Welcome back, ${owner.username}`)).toBeVisible()

  await page.goto('/admin/staff')
  await expect(page.getByRole('button', { name: owner.username })).toContainText('Code on')
  await page.getByRole('button', { name: 'Invite someone' }).click()
  const invite = page.getByRole('dialog', { name: 'Invite someone' })
  await invite.getByLabel('Who?').fill(helper.phone)
  await invite.getByRole('option', { name: helper.username }).click()
  await invite.getByLabel('Orders').check()
  await invite.getByRole('button', { name: `Let ${helper.username} in` }).click()
  await expect(page.getByRole('link', { name: 'Send by WhatsApp' })).toHaveAttribute('href', /^https:\/\/wa\.me\/233/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: helper.username })).toContainText('Orders')

  await page.goto('/user/account')
  await logOut(page)
  await logIn(page, helper)
  await expect(page.getByText(`Welcome back, ${helper.username}`)).toBeVisible()
  await page.goto('/admin')
  const portal = page.getByRole('navigation', { name: 'Admin Portal' })
  await expect(portal.getByRole('link')).toHaveText([/^Inbox/, /^Statistics/, /^Orders/, /^More/])
})
