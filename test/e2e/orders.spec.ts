import { check } from './check-accessibility.ts'
import { expect, keepSession, test } from './shop.ts'

test('an order says where it is, changes by itself, and is followed by its link and its number without signing in', async ({
  page,
  shop,
  browserOf,
  troubles,
}) => {
  const customer = await shop.makeUser({ balance: 50 })
  const [order] = await shop.buy(customer, [{ network: 'Telecel', offer: '10GB', phoneNumber: '0201112223' }])
  if (!order) throw new Error('no order came of buying')
  await keepSession(page, customer)
  await page.goto('/user/history')
  await page.getByRole('link', { name: 'Where is it?' }).click()
  await expect(page).toHaveURL(`/order/${order.number}`)
  await expect(page.getByRole('heading', { name: 'On its way' })).toBeVisible()
  const steps = page.getByRole('list', { name: 'What has happened' }).getByRole('listitem')
  await expect(steps).toHaveText([/Paid.*From your wallet.*\d\d:\d\d/, /Delivered.*still to come/])
  await expect(page.getByRole('link', { name: 'WhatsApp help' })).toHaveAttribute('href', new RegExp(`text=.*${order.reference}`))
  await check(page, 'an order on its way')

  const stranger = await browserOf(null)
  await stranger.goto(`/t/${order.reference}`)
  await expect(stranger.getByRole('heading', { name: 'On its way' })).toBeVisible()
  await expect(stranger.getByText('020 ••• 2223')).toBeVisible()
  await expect(stranger.getByRole('main')).not.toContainText('43.50')

  await shop.decide(order, 'completed')
  await expect(page.getByRole('heading', { name: 'Completed' })).toBeVisible()
  await expect(steps).toHaveText([/Paid/, /Completed.*The shop has sent it/])

  await stranger.goto('/')
  await stranger.getByRole('contentinfo').getByRole('link', { name: 'Where is my order?' }).click()
  await stranger.getByLabel('Order number or reference').fill(order.number)
  await stranger.getByLabel('Receiver phone number').pressSequentially('+233201112224')
  troubles.expect(/^404 POST \/api\/track$/)
  await stranger.getByRole('button', { name: 'Track order' }).click()
  await expect(stranger.getByRole('alert')).toHaveText('That order does not exist.')
  await check(stranger, 'an order that was not found')
  await stranger.getByLabel('Receiver phone number').fill('0201112223')
  await stranger.getByRole('button', { name: 'Track order' }).click()
  await expect(stranger.getByRole('heading', { name: 'Completed' })).toBeVisible()
})

test('an order of somebody else, and one that never was, are not found', async ({ page, shop, troubles }) => {
  const [theirs] = await shop.buy(await shop.makeUser({ balance: 10 }), [{}])
  await keepSession(page, await shop.makeUser())
  troubles.expect(/^404 GET \/api\/order\//)
  await page.goto(`/order/${theirs?.number}`)
  await expect(page.getByText('There is no such order')).toBeVisible()
  await page.goto('/order/what')
  await expect(page.getByText('There is no such order')).toBeVisible()
  troubles.expect(/^400 GET \/api\/order\/what$/)
  troubles.expect(/^404 GET \/api\/track\//)
  await page.goto('/t/AAAAAAAAAAAAAAAAAAAA')
  await expect(page.getByText('There is no such order')).toBeVisible()
})
