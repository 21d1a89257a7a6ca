import { check } from './check-accessibility.ts'
import { expect, keepSession, test } from './shop.ts'

const PIN = '7392'
const PASSWORD = 'a good password'

test('a customer connects WhatsApp, buys in the chat of the sandbox, and disconnects it', { tag: '@long' }, async ({
  page,
  shop,
  browserOf,
}) => {
  test.slow()
  const customer = await shop.makeUser({ balance: 20 })
  await shop.call('POST', '/user/me/pin', { as: customer, body: { password: PASSWORD, pin: PIN, atCheckout: true } })
  await keepSession(page, customer)
  await page.goto('/user/account')
  await page.getByRole('button', { name: 'Connect WhatsApp' }).click()
  const steps = page.getByText(/Send LINK \d{6} to/)
  await expect(steps).toBeVisible()
  await expect(page.getByRole('link', { name: 'Open the chat' })).toHaveAttribute(
    'href',
    /^https:\/\/wa\.me\/233300000000\?text=LINK%20\d{6}$/,
  )
  await check(page, 'a code for WhatsApp')
  const code = /LINK (\d{6})/.exec((await steps.textContent()) ?? '')?.[1] as string

  const phone = await browserOf(null)
  await phone.goto('/sandbox/whatsapp')
  await phone.getByLabel('Whose phone it is').fill(customer.phone)
  const say = async (text: string) => {
    await phone.getByLabel('Message', { exact: true }).fill(text)
    await phone.getByRole('button', { name: 'Send', exact: true }).click()
  }
  const last = phone.getByRole('list').first().locator('> li:not(.mine)').last()
  await say(`LINK ${code}`)
  await expect(last).toContainText('This number is connected')
  await expect(page.getByText(/^Connected since/)).toBeVisible()

  await say('hi')
  await expect(last).toContainText('Choose')
  await last.locator('summary').click()
  await last.getByRole('button', { name: 'Buy for me' }).click()
  await expect(last).toContainText('MTN for')
  await last.locator('summary').click()
  await last.getByRole('button', { name: /^1GB/ }).click()
  await expect(last).toContainText('Enter your PIN')
  await say(PIN)
  await expect(last).toContainText(/Thank you! Order \d+: MTN 1GB/)
  await phone.getByRole('button', { name: 'Send the same webhook again' }).last().click()
  await say('balance')
  await expect(last).toContainText('14.50')

  await page.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('button', { name: 'Yes, disconnect' }).click()
  await expect(page.getByText('Not connected.')).toBeVisible()
  await say('balance')
  await expect(last).not.toContainText('14.50')
})
