import { asSmsGateway } from '../../sandbox/phone/sign-message.ts'
import { WRITES } from '../../sandbox/phone/write-messages.ts'
import { answer, DESKTOP, expect, keepSession, PHONE, test, toastOf } from './shop.ts'

test('the owner connects a phone, a customer’s payment is credited by it, and new words of the network are written down', {
  tag: '@long',
}, async ({ page, shop, browserOf, request }) => {
  const customer = await shop.makeUser()
  const first = await shop.requestRecharge(customer, 60)
  const second = await shop.requestRecharge(customer, 70)

  await keepSession(page, shop.admin)
  await page.goto('/admin/finance/phones')
  await expect(page.getByText('No phone sends its messages here yet')).toBeVisible()
  await page.getByRole('button', { name: 'Add a phone' }).click()
  await page.getByRole('textbox', { name: 'What do you call it?' }).fill('Shop till')
  await page.getByRole('button', { name: 'Add the phone' }).click()
  const card = page.getByRole('region', { name: 'Shop till' })
  const textOf = async (pattern: RegExp) => (await card.locator('code').filter({ hasText: pattern }).textContent()) ?? ''
  const key = await textOf(/^[0-9a-f]{48}$/)
  const url = await textOf(/message$/)
  const forward = async (text: string, now = new Date()) => {
    const { body, headers } = asSmsGateway({ sender: 'MobileMoney', text, at: now }, key, now)
    return (await request.post(url, { data: Buffer.from(body), headers })).status()
  }

  // A clock that is wrong, and then right.
  await card.getByRole('button', { name: 'Test it' }).click()
  await expect(card.getByText('We are listening…')).toBeVisible()
  expect(await forward('Hello', new Date(Date.now() - 3_600_000))).toBe(401)
  await expect(card.getByText('It reached us, but: The phone’s clock is 60 minutes behind.')).toBeVisible({ timeout: 15_000 })
  await card.getByRole('button', { name: 'Test it again' }).click()
  expect(await forward('Hello')).toBe(200)
  await expect(card.getByText('The address and the key are right.')).toBeVisible({ timeout: 15_000 })

  await card.getByRole('button', { name: 'Confirm the balance' }).click()
  await page.getByRole('textbox', { name: 'What the wallet holds now' }).fill('100')
  await page.getByRole('button', { name: 'That is the balance' }).click()
  await expect(card.getByText('Every message follows from the one before.')).toBeVisible()

  const theirs = await browserOf(customer)
  await theirs.goto('/user/finance')
  await theirs.getByRole('textbox', { name: 'Recharge amount' }).fill('60')
  await expect(theirs.getByText('it’s in your wallet soon after')).toBeVisible()
  expect(await forward(WRITES.MTN.received({ amount: 6_000, balance: 16_000, id: '91234560001', reference: first.rechargeId }))).toBe(200)
  await expect(theirs.getByRole('region', { name: 'Wallet balance' })).toContainText('¢60.00', { timeout: 15_000 })

  const reworded = `You got GHS 70.00 from AMA SAMPLE. Note: ${second.rechargeId}. Transaction ID: 91234560002. You now have GHS 230.00. Thank you.`
  expect(await forward(reworded)).toBe(200)
  await page.getByRole('link', { name: 'Forms of messages' }).click()
  await page.getByRole('button', { name: 'Write a form from it' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox', { name: 'Its words' })).toHaveValue(/You got \{amount\} from \{payer\}\. Note: \{reference\}\./)
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('you got')
  await expect(dialog.getByText('read as “you got”')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(toastOf(page, 'Saved. It counts for the next message.')).toBeVisible()
  await page.getByRole('button', { name: 'Read what waits again' }).click()
  await expect(toastOf(page, '1 of 1 understood now.')).toBeVisible()
  await expect(theirs.getByRole('region', { name: 'Wallet balance' })).toContainText('¢130.00', { timeout: 15_000 })
  expect(await shop.balanceOf(customer)).toBe(130)

  // Switched off, it is known no more; the owner tries it.
  const row = page.getByRole('listitem').filter({ hasText: 'you got' })
  await row.getByRole('button', { name: 'Off' }).click()
  await answer(page, 'Switch “you got” off?', 'Switch off')
  await expect(row.getByText('Off', { exact: true }).first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill(reworded)
  await page.getByRole('button', { name: 'What do we understand?' }).click()
  await expect(page.getByText('no form knows it')).toBeVisible()
  // The sandbox's phone, in the place of a real one.
  const third = await shop.requestRecharge(customer, 80)
  await page.goto('/sandbox/phone')
  await page.getByLabel('Address').fill(url)
  await page.getByLabel('Key').fill(key)
  await page.getByLabel('What the wallet holds, in cedis').fill('230')
  await page.getByLabel('Amount, in cedis').fill('80')
  await page.getByLabel('Reference that the payer writes').fill(third.rechargeId)
  const said = page.getByRole('listitem')
  await page.getByLabel('Which', { exact: true }).selectOption('Forged: from a person’s number')
  await page.getByRole('button', { name: 'Let it arrive' }).click()
  await expect(said.first()).toContainText('Not read: not a network’s name')
  await page.getByLabel('The phone is offline: messages wait').check()
  await page.getByLabel('Which', { exact: true }).selectOption('Money comes in')
  await page.getByRole('button', { name: 'Let it arrive' }).click()
  await page.getByRole('button', { name: 'Online again: send what waits (1)' }).click()
  await expect(said.first()).toContainText('Taken: a payment')
  await expect(theirs.getByRole('region', { name: 'Wallet balance' })).toContainText('¢210.00', { timeout: 15_000 })
  await page.getByRole('button', { name: 'Send the last one again' }).click()
  await expect(said.first()).toContainText('A repetition: nothing happens')
  await page.getByLabel('Minutes by which its clock is wrong').fill('30')
  await page.getByRole('button', { name: 'Let it arrive' }).click()
  await expect(said.first()).toContainText('Refused (401)')
  expect(await shop.balanceOf(customer)).toBe(210)

  const pictures = process.env.PICTURES
  if (pictures) {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const [name, { viewport }] of Object.entries({ PHONE, DESKTOP })) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(viewport)
        await page.screenshot({ path: `${pictures}/forms-${name}-${colorScheme}.png`, fullPage: true })
      }
    }
    await page.goto('/admin/finance/phones/forms')
    await page.getByRole('button', { name: 'Write a form', exact: true }).click()
    await page.screenshot({ path: `${pictures}/dialog.png` })
    await page.setViewportSize(PHONE.viewport)
    await page.screenshot({ path: `${pictures}/dialog-phone.png` })
    await page.goto('/admin/finance/phones')
    await page.getByText('Shop till').first().waitFor()
    await page.screenshot({ path: `${pictures}/phones.png`, fullPage: true })
  }
})
