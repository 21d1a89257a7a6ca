import { type Account, PASSWORD, type Shop } from './open-shop.ts'
import { answer, expect, keepSession, test, toastOf } from './shop.ts'

const PIN = '7392'

async function makeBuyer(shop: Shop): Promise<Account> {
  const buyer = await shop.makeUser({ balance: 50 })
  await shop.call('POST', '/user/me/pin', { as: buyer, body: { password: PASSWORD, pin: PIN, atCheckout: false } })
  return buyer
}

test('a phone in the sandbox buys, loses its session and a reply, and buys once; staff see how it came', {
  tag: ['@desktop', '@long'],
}, async ({ page, shop }) => {
  const buyer = await makeBuyer(shop)
  await page.goto('/sandbox#ussd')
  const phone = page.getByRole('region', { name: 'USSD phone' })
  const screen = phone.getByRole('status')
  const say = async (text: string) => {
    await phone.getByLabel('Answer').fill(text)
    await phone.getByRole('button', { name: 'Send' }).click()
  }
  await phone.getByLabel('The phone’s number').fill(buyer.phone)
  await phone.getByRole('button', { name: /^Dial/ }).click()
  await expect(screen).toContainText('1. Buy for me')
  await say('1')
  await expect(screen).toContainText('GHS 10.50')
  await say('2')
  await expect(screen).toContainText('Enter your PIN to buy.')
  await phone.getByRole('button', { name: 'Let it time out' }).click()
  await expect(screen).toContainText('Time-out')
  await phone.getByRole('button', { name: /^Dial/ }).click()
  await expect(screen).toContainText('You were buying MTN 2GB')
  await say('1')
  await expect(screen).toContainText('Enter your PIN to buy.')
  await phone.getByLabel('With the next request').selectOption('Its reply is lost')
  await say(PIN)
  await expect(screen).toContainText('Connection problem')
  await phone.getByRole('button', { name: /^Dial/ }).click()
  await expect(screen).toContainText(/Order \d+ is in: MTN 2GB/)
  await say('4')
  await expect(screen).toContainText('Your wallet: GHS 39.50')

  await keepSession(page, shop.admin)
  await page.goto('/admin/orders')
  await expect(page.getByRole('row').filter({ hasText: buyer.username }).getByText('by USSD')).toBeVisible()
  await page.goto('/admin/settings')
  const card = page.getByRole('region', { name: 'USSD' })
  await card.getByRole('button', { name: 'Try the first screen' }).click()
  await expect(card.getByText('1. Buy for me')).toBeVisible()
  // What is left empty is not saved in silence: the field says what it takes.
  await card.getByLabel('Most for one order, in cedis').fill('')
  await card.getByLabel('Characters on a screen').fill('99')
  await card.getByRole('button', { name: 'Save USSD' }).click()
  await expect(card.getByLabel('Most for one order, in cedis')).toBeFocused()
  await expect(card.getByLabel('Most for one order, in cedis')).toHaveAccessibleDescription(/at least 1 cedi/)
  await expect(card.getByLabel('Characters on a screen')).toHaveAccessibleDescription(/from 100 to 182/)
  await card.getByLabel('Most for one order, in cedis').fill('90')
  await card.getByLabel('Characters on a screen').fill('120')
  await card.getByRole('button', { name: 'Save USSD' }).click()
  await expect(toastOf(page, 'The USSD settings were saved.')).toBeVisible()
  await card.getByRole('button', { name: 'Make the address' }).click()
  await answer(page, 'Make the address for your gateway?', 'Yes, make it')
  await expect(card.getByText(/\/api\/ussd\/[\w-]{32}$/)).toBeVisible()
})
