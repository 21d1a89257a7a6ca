import type { Recharge } from '../../shared/recharges.ts'
import type { Account } from './open-shop.ts'
import { alertOf, answer, entryOf, expect, keepSession, test, toastOf } from './shop.ts'

test.use({ contextOptions: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, reducedMotion: 'reduce' } })

let drawn = 0
const message = (amount: number, reference: string, id = String(84_000_000_000 + ++drawn)) =>
  `Payment received for GHS ${amount}.00 from AMA SAMPLE. Reference: ${reference}. Transaction ID: ${id}. TRANSACTION FEE: 0.00`

test('ten payments are pasted and approved in two taps; what is doubtful, forged or counted before is not among them', {
  tag: '@long',
}, async ({ page, shop, browserOf }) => {
  const customers: { user: Account; recharge: Recharge }[] = []
  for (let count = 0; count < 10; count++) {
    const user = await shop.makeUser()
    customers.push({ user, recharge: await shop.requestRecharge(user, 121) })
  }
  const less = await shop.makeUser()
  const wanted = await shop.requestRecharge(less, 100)
  const declined = await shop.requestRecharge(less, 75)
  await shop.decideRecharge(declined, 'decline')
  const certain = customers.map(({ recharge }) => message(121, recharge.rechargeId))
  const others = [
    message(95, wanted.rechargeId),
    message(80, 'thanks'),
    `From: 0551004417\n${message(300, wanted.rechargeId)}`,
    'Cash Out made for GHS40.00 to ADOM ELECTRICALS . Current Balance: GHS22.10 Financial Transaction Id: 10493827561.',
  ]
  const theirs = await browserOf(less)
  await theirs.goto('/user/finance')
  await expect(entryOf(theirs, 'Wallet history', declined.rechargeId)).toContainText('rejected')

  await keepSession(page, shop.admin)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/admin/finance/match')
  await page.evaluate((text) => navigator.clipboard.writeText(text), [...certain, ...others].join('\n'))
  await page.getByRole('textbox', { name: 'Paste payment messages' }).focus()
  await page.keyboard.press('Control+V')
  await expect(page.getByText('Read 14: 10 certain, 1 doubtful, 1 unmatched, 2 not counted.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Not counted' })).toContainText('Came from 055 100 4417, not from MobileMoney.')

  await page.getByRole('button', { name: 'Approve 10 ¢1,210.00' }).click()
  await answer(page, 'Are you sure you want to approve 10 recharges of ¢1,210.00 in all?')
  await expect(toastOf(page, '10 recharge requests approved')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Certain' })).toHaveCount(0)
  for (const { user } of customers) expect(await shop.balanceOf(user)).toBe(121)

  // What came in is credited, and both sides read how much that was.
  const doubtful = page.getByRole('article', { name: `${less.username}, ¢95.00` })
  await expect(doubtful).toContainText('¢5.00 less than asked. The wallet gets what came in.')
  await doubtful.getByRole('button', { name: 'Credit ¢95.00' }).click()
  await answer(page, `Are you sure you want to credit ${less.username} with ¢95.00?`)
  await expect(toastOf(page, 'Recharge request approved')).toBeVisible()
  await expect(entryOf(theirs, 'Wallet history', wanted.rechargeId)).toContainText('You asked for ¢100.00. We credited what came in.')

  // For the payment that nobody asked for, the customer is found by hand.
  await page.getByRole('button', { name: 'Find the customer' }).click()
  await page.getByRole('combobox', { name: 'Username' }).fill(less.username)
  const suggested = page.getByRole('option', { name: less.username })
  // In sight, and not under the sheet's buttons. A click would scroll it there by itself.
  const isInSight = () =>
    suggested.evaluate((option) => {
      const { left, top, height } = option.getBoundingClientRect()
      return option.contains(document.elementFromPoint(left + 20, top + height / 2))
    })
  await expect.poll(isInSight).toBe(true)
  await suggested.click()
  await page.getByRole('button', { name: `Credit ${less.username} ¢80.00` }).click()
  await expect(toastOf(page, `${less.username} was credited with ¢80.00`)).toBeVisible()
  expect(await shop.balanceOf(less)).toBe(175)

  await page.getByRole('textbox', { name: 'Paste payment messages' }).fill(certain[0] ?? '')
  await page.getByRole('button', { name: 'Read messages' }).click()
  await expect(page.getByRole('region', { name: 'Not counted' })).toContainText(`Credited to ${customers[0]?.user.username} on `)

  await page.getByRole('navigation', { name: 'Finance' }).getByRole('link', { name: 'Wallets' }).click()
  const reopened = entryOf(page, 'Wallet Recharge History', declined.rechargeId)
  await reopened.getByRole('button', { name: 'Reopen' }).click()
  await answer(page, `Are you sure you want to reopen the recharge of ¢75.00 for ${less.username}?`)
  await expect(reopened.getByRole('button', { name: 'Approve' })).toBeVisible()
  await expect(entryOf(theirs, 'Wallet history', declined.rechargeId)).toContainText('pending')
  await expect(alertOf(page, /./)).toHaveCount(0)
})
