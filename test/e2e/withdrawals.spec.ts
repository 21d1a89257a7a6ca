import { codeSentTo, openShopOf } from './earning-shop.ts'
import { answer, expect, keepSession, test, toastOf } from './shop.ts'

test('on a phone an agent confirms a number by its code and withdraws; more waits, the owner pays by hand, and the agent sees it', {
  tag: '@long',
}, async ({ page, shop, browserOf, troubles }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const agent = await shop.makeUser({ level: 'Agent' })
  await openShopOf(shop, agent._id, 412_80)
  await keepSession(page, agent)
  await page.goto('/agent/earnings')
  await page.getByRole('link', { name: /^Withdraw/ }).click()
  await page.getByLabel('Mobile money number').fill('0245550100')
  await page.getByLabel('Name on that number').fill('Akosua Frimpong')
  await expect(page.getByText('MTN, a new number. We send it a code.')).toBeVisible()
  const withdraw = page.getByRole('button', { name: /^Withdraw/ })
  await page.getByLabel('How much?').fill('500')
  await expect(page.getByText('You can withdraw up to ¢412.80 now.')).toBeVisible()
  await expect(withdraw).toBeDisabled()
  await page.getByLabel('How much?').fill('20')
  await withdraw.click()
  await answer(page, 'Send ¢19.00 to this number?')
  const dialog = page.getByRole('dialog', { name: 'Type the code' })
  const field = dialog.getByLabel('Code from the message')
  await expect(field).toBeFocused()
  await expect(dialog.getByText(/No message\? Send again in 0:\d\d/)).toBeVisible()
  await expect.poll(codeSentTo(shop, '0245550100')).toMatch(/^\d{6}$/)
  const code = await codeSentTo(shop, '0245550100')()
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  troubles.expect(/^400 POST \/api\/earnings\/payout-numbers$/)
  await field.pressSequentially(wrong)
  await expect(dialog.getByText('That is not the code. You have 4 more tries.')).toBeVisible()
  await expect(field).toHaveValue('')
  // As a phone fills it in from the message, or as it is pasted.
  await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`)
  await expect(toastOf(page, '¢19.00 is on its way to your phone.')).toBeVisible()

  await page.getByRole('link', { name: /^Withdraw/ }).click()
  await page.getByLabel('Mobile money number').fill('0245550100')
  await page.getByLabel('Name on that number').fill('Akosua Frimpong')
  await page.getByRole('button', { name: '¢200' }).click()
  await withdraw.click()
  await answer(page, 'Send ¢199.00 to this number?')
  await expect(toastOf(page, 'Your withdrawal waits for approval.')).toBeVisible()
  const row = page.getByRole('listitem').filter({ hasText: 'to 024 555 0100' }).first()
  await expect(row).toContainText('Waiting for approval')
  await expect(page.getByRole('link', { name: /^Withdraw/ })).toContainText('¢192.80')

  // The last of the tabs has a count, far outside a phone's screen.
  const held = 'h'.repeat(20)
  await shop.sql(
    `insert into payments (reference, user_id, purpose, price_pesewas, surcharge_pesewas, status, reason, received_pesewas, created_at, settled_at)
     values ($1, $2, 'agent-upgrade', 5000, 150, 'held', 'paid in NGN, not in GHS', 0, now(), now())`,
    [held, agent._id],
  )
  const owner = await browserOf(shop.admin)
  await owner.goto('/admin/finance/withdrawals')
  await expect(owner.getByRole('link', { name: /^Held card payments/ })).toContainText('to decide')
  expect(await owner.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await shop.sql('delete from payments where reference = $1', [held])
  const card = owner.getByRole('region', { name: '¢199.00 to 024 555 0100' })
  await expect(card).toContainText('Akosua Frimpong')
  await card.getByRole('button', { name: 'I paid by hand' }).click()
  await owner.getByLabel('Transaction id').fill('51234567890')
  await answer(owner, 'Have you sent ¢199.00 to 024 555 0100 from your phone?')
  await expect(toastOf(owner, 'Noted as paid.')).toBeVisible()

  await page.reload()
  await expect(row).toContainText('Paid')
  await expect(row).toContainText('You got ¢199.00')

  await page.getByRole('button', { name: 'Remove 024 555 0100' }).click()
  await answer(page, 'Remove 024 555 0100?', 'Remove')
  await expect(toastOf(page, '024 555 0100 was removed.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your numbers' })).toHaveCount(0)
})
