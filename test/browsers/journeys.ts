import { equal } from 'node:assert/strict'
import type { Account, Shop } from '../e2e/open-shop.ts'
import { PASSWORD } from '../e2e/open-shop.ts'
import { until } from '../until.ts'
import type { CuttableLine } from './cuttable-line.ts'
import type { Page, Wanted } from './page.ts'

export type Journey = (place: { page: Page; shop: Shop; line: CuttableLine; step: (name: string) => void }) => Promise<void>

const BUY_PAGE: Wanted = { role: 'dialog', name: 'BUY PAGE' }
const PLACED: Wanted = { role: 'dialog', name: 'Order placed' }
const BALANCE: Wanted = { role: 'link', name: 'Wallet balance', within: { role: 'banner' } }
const button = (name: string | RegExp, within?: Wanted): Wanted => ({ role: 'button', name, ...(within && { within }) })
const balanceOf = (cedis: string): Wanted => ({ ...BALANCE, text: `¢${cedis}` })

/** From the first visit to the last, with everything that a customer does in between. */
export const customersLife: Journey = async ({ page, shop, line, step }) => {
  const person = shop.newPerson()
  step('opens the shop')
  await page.open('/')
  await page.sees({ role: 'heading', text: /./ })
  await page.picture('home')

  step('registers')
  await page.open('/register')
  await page.fill(/^Username/, person.username)
  await page.fill(/^Phone number/, person.phone)
  await page.fill(/^Email/, person.email)
  await page.fill(/^Password/, person.password)
  await page.fill(/^Confirm password/, person.password)
  await page.picture('register')
  await page.press(button('Register', { role: 'main' }))
  await page.isAt('/store')
  await page.sees(button('I understand'))
  await page.picture('notice')
  await page.press(button('I understand'))
  await page.sees(tile('MTN', '1GB'))
  await page.picture('store')

  step('signs out and in')
  await signOut(page)
  await signIn(page, person.phone)
  await page.isAt('/store')
  await page.press(button('I understand'))
  const customer = await shop.call<Account>('POST', '/user/login', { body: { userPhone: person.phone, password: PASSWORD } })

  step('tops up by card')
  await page.open('/user/finance')
  await page.sees(button(/^¢100$/))
  await page.picture('wallet-empty')
  await page.press(button(/^¢100$/))
  await page.press(button('Top up now ¢103.00'))
  await payInPopUp(page, /^Pay .*103\.00 by card$/)
  await page.sees(balanceOf('100.00'))
  await page.sees({ text: /\+¢100\.00/ })
  await page.picture('wallet')

  step('asks for a top-up by mobile money')
  await page.fill(/^Recharge amount/, '50')
  await page.press(button(/^Request/))
  await page.sees({ role: 'dialog', name: 'PAYMENT NOTICE' })
  await page.picture('payment-notice')
  await page.press(button('I have noted it'))
  const [recharge] = await shop.call<{ _id: string }[]>('GET', '/recharge', { as: customer })
  await shop.call('PUT', `/recharge/${recharge?._id}/approve`, { as: shop.admin, body: {} })
  await page.sees(balanceOf('150.00'))

  step('buys from the wallet')
  await page.open('/store')
  await page.press(tile('MTN', '1GB'))
  await page.fill(/^Receiver phone number/, '0241234567', BUY_PAGE)
  await page.picture('buy-page')
  await page.press(button('Pay with wallet', BUY_PAGE))
  await page.sees({ text: 'Are you sure you want to proceed to checkout now?' })
  await page.picture('question')
  await page.press(button('Yes'))
  await page.sees({ ...PLACED, text: 'Your order is placed successfully' })
  await page.picture('placed')
  await page.press(button('Close', PLACED))
  await page.sees(balanceOf('144.50'))

  step('buys by card')
  await page.press(tile('Telecel', '5GB'))
  await page.fill(/^Receiver phone number/, '0201234567', BUY_PAGE)
  await page.press(button('Pay without wallet (card)', BUY_PAGE))
  await page.press(button(/^Pay ¢[\d.]+ by MoMo or card$/))
  await payInPopUp(page, /^Pay .* by card$/)
  await page.sees({ ...PLACED, text: 'Your order is placed successfully' })
  await page.press(button('Close', PLACED))
  await page.sees(balanceOf('144.50'))
  const orders = await shop.ordersOf(customer)
  equal(orders.length, 2)

  step('looks at an order')
  await page.open('/user/history')
  await page.sees({ role: 'row', text: '5GB' })
  await page.picture('history')
  await page.press({ role: 'link', name: /./, within: { role: 'row', text: '1GB' } })
  await page.sees({ role: 'link', name: 'Receipt' })
  await page.picture('order')

  step('has no connection, and gets it back')
  await page.open('/store')
  await page.sees(tile('MTN', '1GB'))
  await until(() => page.driver.evaluate<boolean>('!!(navigator.serviceWorker && navigator.serviceWorker.controller)'), 60_000)
  await page.open('/user/history')
  await page.sees({ role: 'row', text: '5GB' })
  await page.driver.takeErrors()
  line.cut()
  await page.driver.setOffline(true)
  await page.open('/store')
  await page.sees({ text: /Prices as you last saw them|This is the store as you last saw it/ })
  await page.sees({ ...tile('MTN', '1GB'), text: '¢5.50' })
  await page.picture('offline')
  line.mend()
  await page.driver.setOffline(false)
  await page.open('/store')
  await page.seesNo({ text: 'This is the store as you last saw it' })
  await page.sees(tile('MTN', '1GB'))
  // Lost requests are errors of the console.
  await page.driver.takeErrors()

  step('signs out')
  await signOut(page)
}

/** What an owner does first on a morning: the inbox, orders by hand, payments to match, and the day's close. */
export const ownersMorning: Journey = async ({ page, shop, step }) => {
  const customer = await shop.makeUser({ balance: 40 })
  await shop.buy(customer, [{ phoneNumber: '0241234567' }, { offer: '2GB', phoneNumber: '0241234568' }])
  const asked = await shop.requestRecharge(customer, 121)

  step('signs in')
  await signIn(page, shop.admin.phone)
  await page.open('/admin')
  step('reads the inbox')
  await page.sees({ role: 'article', text: 'MTN' })
  await page.picture('inbox')

  step('processes an order')
  await page.open('/admin/orders')
  await page.press(button(/^Process/, { role: 'row', text: '2GB' }))
  await page.sees({ text: /^Are you sure you want to process order / })
  await page.picture('process')
  await page.press(button('Yes'))
  await page.sees({ role: 'note', text: /Order .+ completed/ })
  await page.picture('orders')
  await until(async () => (await shop.ordersOf(customer)).some(({ status }) => status === 'completed'))

  step('matches a payment')
  await page.open('/admin/finance/match')
  await page.fill(
    'Paste payment messages',
    `Payment received for GHS 121.00 from AMA SAMPLE. Reference: ${asked.rechargeId}. Transaction ID: 84000000001. TRANSACTION FEE: 0.00`,
  )
  await page.press(button('Read messages'))
  await page.sees({ text: /^Read 1: 1 certain/ })
  await page.picture('match')
  await page.press(button(/^Approve 1/))
  await page.press(button('Yes'))
  await until(async () => (await shop.balanceOf(customer)) === 145)

  step('closes the day')
  await page.open('/admin/day-close')
  await page.sees({ role: 'row', text: /^.?Delivered/ })
  await page.picture('day')
  await page.fill(/^Mobile money: counted/, '121')
  await page.press(button(/^Sign off/))
  await page.sees({ text: /off\? Nobody can change it afterwards\./ })
  await page.press(button('Yes'))
  await page.sees({ text: 'Signed by' })
  await page.picture('closed')

  step('looks around')
  for (const [path, words] of [
    ['/admin/stats', 'Total orders'],
    ['/admin/finance', 'Credit/Debit User Account'],
    ['/admin/more', 'Suppliers'],
  ] as const) {
    await page.open(path)
    await page.sees({ text: words })
    await page.picture(path.slice('/admin/'.length))
  }
}

function tile(network: string, offer: string): Wanted {
  return button(new RegExp(`^${offer}(?!\\w)`), { role: 'region', name: new RegExp(`^${network}$`) })
}

async function signIn(page: Page, phone: string) {
  await page.open('/login')
  await page.fill(/^Phone number/, phone)
  await page.fill(/^Password/, PASSWORD)
  await page.press(button('Login', { role: 'main' }))
  await until(() => page.driver.evaluate<boolean>(`location.pathname !== '/login'`).catch(() => false), 30_000, 'to be signed in')
}

async function signOut(page: Page) {
  await page.press(button('Account'))
  await page.picture('account-menu')
  await page.press(button('Logout'))
  await page.isAt('/login')
}

async function payInPopUp(page: Page, name: RegExp) {
  await page.sees({ role: 'button', name, frame: 'Card payment' })
  await page.picture('card')
  await page.press({ role: 'button', name, frame: 'Card payment' })
}
