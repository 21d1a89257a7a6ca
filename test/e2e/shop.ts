import { test as base, expect, type Locator, type Page, type Request } from '@playwright/test'
import type { ReconciliationReply } from '../../shared/reconciliation.ts'
import { type Account, NO_CONNECTION, openShop, PASSWORD, type Shop } from './open-shop.ts'
import { collectTroubles, type Troubles } from './troubles.ts'

// No fades: a screen is at rest once it is drawn. home.spec.ts has the motion that is claimed.
const STILL = { reducedMotion: 'reduce' } as const

export const PHONE = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
  userAgent: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Mobile Safari/537.36',
}
export const DESKTOP = { viewport: { width: 1440, height: 900 } }

type Fixtures = {
  troubles: Troubles
  /** A browser of its own for somebody, already signed in unless it is for a visitor. */
  browserOf: (account: Account | null) => Promise<Page>
}

/**
 * Every worker has its own shop. Every test ends by checking that its browsers logged no unexpected error.
 * Browsers are as large as a phone's, or with the tag `@desktop` as a desktop's.
 */
export const test = base.extend<Fixtures, { shop: Shop; shopSettings: Record<string, string> }>({
  /** Further settings of the process, for a file whose journeys need another shop than the usual one. */
  shopSettings: [{}, { option: true, scope: 'worker' }],
  shop: [
    async ({ shopSettings }, use, worker) => {
      const shop = await openShop(`shopper${worker.workerIndex}`, shopSettings)
      await use(shop)
      await shop.close()
    },
    // Only what hangs takes so long, as in the configuration.
    { scope: 'worker', timeout: 240_000 },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads what a fixture needs from this pattern.
  contextOptions: async ({}, use, { tags }) => use({ ...STILL, ...(tags.includes('@desktop') ? DESKTOP : PHONE) }),
  baseURL: async ({ shop }, use) => use(shop.address),

  troubles: [
    async ({ shop }, use, test) => {
      const troubles = collectTroubles()
      const printedBefore = shop.output().length
      await use(troubles)
      const printed = shop.output().slice(printedBefore)
      // With too much to do, the machine gives no connection in time, and the page asks again by itself.
      if (printed.includes(NO_CONNECTION)) troubles.allow(/^503 GET /)
      if (printed) await test.attach('what the shop printed', { body: printed, contentType: 'text/plain' })
      expect.soft(troubles.unexpected(), 'what went wrong in the browser').toEqual([])
      expect.soft(troubles.missing(), 'what should have gone wrong and did not').toEqual([])
    },
    { auto: true },
  ],
  context: async ({ context, troubles }, use) => {
    await troubles.watch(context)
    await use(context)
  },
  browserOf: async ({ browser, troubles, baseURL }, use) => {
    const pages: Page[] = []
    await use(async (account) => {
      const context = await browser.newContext({ baseURL: baseURL as string })
      await troubles.watch(context)
      const page = await context.newPage()
      pages.push(page)
      if (account) await keepSession(page, account)
      return page
    })
    await Promise.all(pages.map((page) => page.context().close()))
  },
})

export { expect }

/** Signs in as a return visit would find it, without the form and its two seconds. */
export async function keepSession(page: Page, account: Account) {
  await page.goto('/favicon.svg')
  await page.evaluate((user) => {
    localStorage.setItem('userInfo', JSON.stringify(user))
    localStorage.setItem('CurrUser', JSON.stringify(user))
  }, account)
}

/** Goes to an address of the shop as a link in the open page does, without loading the page again. */
export async function follow(page: Page, address: string) {
  await page.evaluate((to) => history.pushState(null, '', to), address)
}

/**
 * Stops the clock of a page, once it has what shows toasts and questions: React may hold back code that comes late by a
 * timer, which would then never fire.
 */
export async function stopClock(page: Page, at: string) {
  await expect(page.locator('#account-notices')).toBeAttached()
  await page.clock.pauseAt(at)
}

/** Signs in by the form, as people do, on the page that is open where it is the form's. */
export async function logIn(page: Page, { phone }: { phone: string }, password = PASSWORD) {
  if (!page.url().includes('/login')) await page.goto('/login')
  await page.getByLabel('Phone number').fill(phone)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

/**
 * Presses Logout, which a phone keeps in the account menu, and waits for what becomes of the request: the page does not,
 * and when it is loaded again meanwhile, it signs out a second time.
 */
export async function logOut(page: Page) {
  await openAccountMenu(page)
  const ended = new Promise<void>((resolve) => {
    const look = (request: Request) => request.url().endsWith('/api/user/logout') && resolve()
    page.on('requestfinished', look).on('requestfailed', look)
  })
  await page.getByRole('button', { name: 'Logout' }).click()
  await ended
}

/** A desktop has Logout in view; a phone has it in this menu, with the rest. */
export async function openAccountMenu(page: Page) {
  const account = page.getByRole('button', { name: 'Account' })
  await expect(account.or(page.getByRole('button', { name: 'Logout' })).first()).toBeVisible()
  if (await account.isVisible()) await account.click()
}

/** Their references, oldest first. The first one is approved: whoever never had one approved may have only two waiting. */
export async function requestRecharges(shop: Shop, user: Account, count: number): Promise<string[]> {
  const references: string[] = []
  for (let index = 0; index < count; index++) {
    const recharge = await shop.requestRecharge(user, 50 + index)
    if (index === 0) await shop.decideRecharge(recharge, 'approve')
    references.push(recharge.rechargeId)
  }
  return references
}

/** The wallet balance that the navigation shows. */
export function shownBalance(page: Page): Locator {
  return page.getByRole('banner').getByRole('link', { name: /^Wallet balance/ })
}

/** The store behind its notice, which is shown until whoever is signed in has closed it once. */
export async function openStore(page: Page) {
  await page.goto('/store')
  const hasReadIt = await page.evaluate(() => localStorage.getItem('seenNotice') !== null)
  if (!hasReadIt) await page.getByRole('button', { name: 'I understand' }).click()
}

/** The BUY PAGE with what is wanted already in it. */
export async function fillBuyPage(page: Page, { network = 'MTN', offer = '1GB', phoneNumber = '0551234567' } = {}): Promise<Locator> {
  const tile = offerTile(page, network, offer)
  await expect(networkSection(page, network)).toBeVisible()
  if (!(await tile.isVisible()))
    await networkSection(page, network)
      .getByRole('button', { name: /^All \d+ offers$/ })
      .click()
  await tile.click()
  const dialog = page.getByRole('dialog', { name: 'BUY PAGE' })
  await dialog.getByLabel('Receiver phone number').fill(phoneNumber)
  return dialog
}

/** A network on the shelf, with its offers. */
export function networkSection(page: Page, network: string): Locator {
  return page.getByRole('main').getByRole('region', { name: network, exact: true })
}

/** An offer on the shelf, with its price. */
export function offerTile(page: Page, network: string, offer: string): Locator {
  return networkSection(page, network).getByRole('button', { name: new RegExp(`^${offer}(?!\\w)`) })
}

/** The first offer of a network on the shelf. */
export function firstTile(page: Page, network: string): Locator {
  return networkSection(page, network).getByRole('listitem').first().getByRole('button')
}

/** Chooses another offer on the BUY PAGE; a phone shows six of them until all are asked for. */
export async function chooseOffer(dialog: Locator, offer: string) {
  const tile = dialog.getByRole('radio', { name: new RegExp(`^${offer}(?!\\w)`) })
  await expect(dialog.getByRole('radio').first()).toBeVisible()
  if (!(await tile.isVisible())) await dialog.getByRole('button', { name: /^All \d+ offers$/ }).click()
  await tile.check()
}

/** What was bought stays on the screen until it is closed. */
export function placedSheet(page: Page): Locator {
  return page.getByRole('dialog', { name: /^Orders? placed/ })
}

/** Closes what was bought, and looks at My Transactions. */
export async function seeTransactions(page: Page) {
  await placedSheet(page).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'My Dashboard' }).click()
  await expect(page).toHaveURL('/user/history')
}

/** Puts one bundle into the cart by way of the BUY PAGE. */
export async function putIntoCart(page: Page, line: Parameters<typeof fillBuyPage>[1]) {
  const dialog = await fillBuyPage(page, line)
  await dialog.getByRole('button', { name: 'Add to cart' }).click()
  await expect(dialog).toBeHidden()
}

export async function answer(page: Page, question: string | RegExp, yesOrNo: string | RegExp = 'Yes') {
  const dialog = page.getByRole('alertdialog').filter({ has: page.getByText(question) })
  await dialog.getByRole('button', { name: yesOrNo }).click()
}

/** The same on a page whose clock stands: a question takes no Yes before it has been there for a moment. */
export async function answerWithStoppedClock(page: Page, question: string | RegExp) {
  await expect(page.getByRole('alertdialog').filter({ has: page.getByText(question) })).toBeVisible()
  await page.clock.runFor(500)
  await answer(page, question)
}

/** A toast at the top of the page that tells a success or something by the way. */
export function toastOf(page: Page, message: string | RegExp): Locator {
  return page.getByRole('status').filter({ hasText: 'Notification' }).filter({ hasText: message })
}

/** A toast that tells a failure or a refusal. */
export function alertOf(page: Page, message: string | RegExp): Locator {
  return page.getByRole('alert').filter({ hasText: 'Notification' }).filter({ hasText: message })
}

/** One record of a list: a table's row, or on a phone its card. Of a reference a column shows the beginning. */
export function entryOf(page: Page, list: string, text: string | RegExp): Locator {
  return entriesOf(page, list).filter({ hasText: typeof text === 'string' ? asShown(text) : text })
}

/** What a column shows of a reference; any other text as it is. */
function asShown(text: string): string {
  return /^(?=.*[A-Z\d])[A-Za-z\d]{16,24}$/.test(text) ? text.slice(0, 6) : text
}

/** The receipt of an entry of My Transactions, by way of its order's page. */
export async function openReceipt(page: Page, entry: Locator): Promise<Locator> {
  await entry.getByRole('link').first().click()
  await page.getByRole('link', { name: 'Receipt' }).click()
  await expect(page.getByRole('heading', { name: 'Receipt' })).toBeAttached()
  return page.getByRole('main')
}

/** All records that a list shows. */
export function entriesOf(page: Page, list: string): Locator {
  const region = page.getByRole('region', { name: list, exact: true })
  return region
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .or(region.getByRole('listitem'))
}

/** Waits for a check of all books that begins now, and expects every rule to hold. */
export async function booksHold(shop: Shop) {
  const { askedAt } = await shop.call<{ askedAt: string }>('POST', '/admin/books/check', { as: shop.admin, body: {} })
  await expect
    .poll(
      async () => {
        const { invariants } = await shop.call<ReconciliationReply>('GET', '/admin/books', { as: shop.admin })
        return invariants.filter(({ status, wholeAt }) => status !== 'holds' || (wholeAt ?? '') < askedAt).map(({ id }) => id)
      },
      { timeout: 120_000 },
    )
    .toEqual([])
}
