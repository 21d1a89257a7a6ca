import type { Page, WebSocketRoute } from '@playwright/test'
import type { BulkGroup } from '../../shared/bulk.ts'
import { isoDay } from '../../shared/dates.ts'
import { expect, fillBuyPage, keepSession, openStore, shownBalance, test } from './shop.ts'

// Phones whose clock is wrong by a day, and tabs that a phone stopped for an hour.

const HOUR_MS = 3_600_000

for (const [wrong, ms] of [
  ['a day ahead', 24 * HOUR_MS],
  ['a day behind', -24 * HOUR_MS],
] as const) {
  test(`a phone whose clock is ${wrong} shows the shop’s times and offers the shop’s days`, async ({ page, shop }) => {
    await page.addInitScript(moveClock, ms)
    const agent = await shop.makeUser({ level: 'Agent', balance: 50 })
    const [order] = await shop.buy(agent, [{ phoneNumber: '0551234567' }])
    const line = { name: 'Esi', phoneNumber: '0551234567', network: 'MTN', offer: '1GB' }
    const { group } = await shop.call<{ group: BulkGroup }>('POST', '/bulk-groups', { as: agent, body: { name: 'Choir', lines: [line] } })
    await keepSession(page, agent)
    expect(Math.abs((await page.evaluate(() => Date.now())) - Date.now() - ms)).toBeLessThan(HOUR_MS)

    // A time of another day has its date before it.
    await page.goto('/agent')
    const row = page.getByRole('link').filter({ hasText: '055 123 4567' })
    await expect(row).toContainText(/\d\d:\d\d/)
    await expect(row).not.toContainText(/\d\d\/\d\d/)
    await page.goto(`/order/${order?.number}`)
    const steps = page.getByRole('main').getByRole('list').filter({ hasText: 'Paid' })
    await expect(steps).toContainText(/\d\d:\d\d/)
    await expect(steps).not.toContainText(/\d\d\/\d\d/)

    await page.goto(`/agent/bulk/groups/${group._id}`)
    await page.getByRole('button', { name: 'Add a time' }).click()
    await page.getByRole('combobox').first().selectOption('once')
    const days = [isoDay(new Date(Date.now() - 60_000)), isoDay(new Date())]
    expect(days).toContain(await page.locator('input[type=date]').getAttribute('min'))
  })
}

/** The shop gives up the socket of a page that does not answer. */
const SOCKET_LOST_AFTER_SECONDS = 45

for (const { name, seconds, tag } of [
  { name: 'for some seconds', seconds: 4, tag: [] },
  { name: 'until its socket is lost', seconds: 60, tag: '@long' },
]) {
  test(`a tab that was frozen ${name} wakes up to today’s price and balance, and buys nothing at the old price`, { tag }, async ({
    page,
    shop,
  }) => {
    await page.addInitScript(moveClock, 0)
    const socket = seconds < SOCKET_LOST_AFTER_SECONDS ? await loseSocket(page) : null
    const customer = await shop.makeUser({ balance: 60 })
    const [earlier] = await shop.buy(customer, [{ network: 'Telecel', offer: '5GB', phoneNumber: '0201234567' }])
    const left = await shop.balanceOf(customer)
    await keepSession(page, customer)
    await openStore(page)
    await expect(shownBalance(page)).toContainText(left.toFixed(2))
    await (await fillBuyPage(page)).getByRole('button', { name: 'Pay with wallet' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('¢5.50')
    await page.waitForLoadState('networkidle')

    const asked: string[] = []
    await page.evaluate((ms) => Object.assign(window, { clockMovedMs: ms }), HOUR_MS)
    const wakeUp = await freeze(page)
    socket?.lose()
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/api/')) asked.push(`${request.method()} ${pathname}`)
    })
    try {
      await shop.setPrice('MTN', '1GB', 5.9)
      await shop.credit(customer, 30)
      if (earlier) await shop.decide(earlier, 'completed')
      await page.waitForTimeout(seconds * 1000)
      expect(asked).toEqual([])
      await wakeUp()
      await socket?.close()

      await expect(shownBalance(page)).toContainText((left + 30).toFixed(2))
      await expect(question).toContainText('has changed from ¢5.50 to ¢5.90')
      await expect(question.getByRole('button', { name: 'Yes' })).toHaveCount(0)
      await question.getByRole('button', { name: 'Go back' }).click()
      await expect(page.getByRole('dialog', { name: 'BUY PAGE' }).getByRole('button', { name: 'Pay with wallet' })).toContainText('5.90')
      await page.waitForLoadState('networkidle')
      expect(await shop.ordersOf(customer)).toHaveLength(1)
      expect(await shop.balanceOf(customer)).toBeCloseTo(left + 30)

      const times = Map.groupBy(asked, (call) => call)
      test.info().annotations.push({ type: 'asked', description: JSON.stringify(asked) })
      for (const [call, repeats] of times) expect(repeats.length, `${call} after waking`).toBeLessThanOrEqual(2)
      expect(asked.length).toBeLessThanOrEqual(14)
    } finally {
      await shop.setPrice('MTN', '1GB', 5.5)
    }
  })
}

/**
 * Stops a page as a phone does with a tab that is not seen; returns how to wake it up. Chromium's own freezing leaves the pages of
 * this driver running, for which they are always in the foreground.
 */
async function freeze(page: Page): Promise<() => Promise<void>> {
  const client = await page.context().newCDPSession(page)
  await client.send('Debugger.enable')
  const stopped = new Promise((resolve) => client.once('Debugger.paused', resolve))
  await client.send('Debugger.pause')
  const seenAgain = page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await stopped
  return async () => {
    await client.send('Debugger.resume')
    await seenAgain
    await client.detach()
  }
}

/** The socket of a page brings nothing more from `lose` on, and closes as one that the shop has given up. */
async function loseSocket(page: Page) {
  let isLost = false
  let open: WebSocketRoute | undefined
  await page.routeWebSocket(/socket\.io/, (socket) => {
    open = socket
    socket.connectToServer().onMessage((message) => {
      if (!isLost) socket.send(message)
    })
  })
  return {
    lose: () => {
      isLost = true
    },
    close: async () => {
      isLost = false
      await open?.close()
    },
  }
}

/** Runs in every page before its own scripts. `clockMovedMs` may change later. */
function moveClock(ms: number) {
  const target = window as unknown as { clockMovedMs: number }
  target.clockMovedMs = ms
  const { now } = Date
  const moved = () => now() + target.clockMovedMs
  window.Date = new Proxy(Date, {
    construct: (RealDate, given) => (given.length === 0 ? new RealDate(moved()) : Reflect.construct(RealDate, given)),
    get: (RealDate, name) => (name === 'now' ? moved : Reflect.get(RealDate, name)),
  })
}
