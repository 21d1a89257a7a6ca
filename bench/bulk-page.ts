import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type CDPSession, chromium, type Page } from '@playwright/test'
import { MAX_BULK_LINES } from '../shared/bulk-rules.ts'
import { resolveHeadlessBrowser } from '../test/browser.ts'
import { openShop } from '../test/e2e/open-shop.ts'
import { currentLoad, describeCommit, describeMachine } from './figures.ts'

// What a list of 5,000 lines costs the page that an agent pays it on, on a phone's screen, at each step from the paste to the page
// at rest: npm run node -- bench/bulk-page.ts [-- --lines 5000 --slower 4 --profile FILE]. `slower` makes the page's processor so many
// times slower; `profile` writes what the page did while the list was delivered, for Chromium's developer tools.
const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: String(MAX_BULK_LINES) },
    slower: { type: 'string', default: '1' },
    profile: { type: 'string' },
  },
})
const [lines, slower] = [Number(values.lines), Number(values.slower)]
if (!(lines > 0 && lines <= MAX_BULK_LINES && slower >= 1)) throw new Error('every option is a number above zero')

type Step = { step: string; wallMs: number; busyPercent: number; longestTaskMs: number; longTasks: number; heapMb: number }

const KEYS = 20
const FUNDS_CEDIS = 9_000
const LIST = Array.from({ length: lines }, (_, index) => `Kofi 024${5_000_000 + index} 1gb`).join('\n')

const shop = await openShop('bulkpage', { JOB_TIMINGS: 'quick', SUPPLIER_CALLS_PER_MINUTE: '6000' })
const browser = await chromium.launch(await resolveHeadlessBrowser())
try {
  await shop.call('PUT', '/admin/settings', { as: shop.admin, body: { routes: { MTN: 'hubnet' }, completeDelivered: true } })
  await shop.call('PATCH', '/sandbox/supplier/hubnet/settings', {
    body: { callsPerMinute: null, deliversAfterMs: 200, balancePesewas: 100_000_000 },
  })
  const agent = await shop.makeUser({ level: 'Agent' })
  for (let funds = 0; funds < lines * 6; funds += FUNDS_CEDIS) await shop.credit(agent, FUNDS_CEDIS)
  const page = await openPage(agent)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slower })
  const steps: Step[] = []
  const measure = async (step: string, work: () => Promise<unknown>) => {
    const before = await readMetrics(cdp)
    await page.evaluate('longTasks.length = 0')
    await work()
    const after = await readMetrics(cdp)
    const tasks = (await page.evaluate('longTasks')) as number[]
    const wall = after.Timestamp - before.Timestamp
    console.error(`${step} …`)
    steps.push({
      step,
      wallMs: Math.round(wall * 1000),
      busyPercent: Math.round(((after.TaskDuration - before.TaskDuration) / wall) * 100),
      longestTaskMs: Math.round(Math.max(0, ...tasks)),
      longTasks: tasks.length,
      heapMb: Math.round(after.JSHeapUsedSize / 1_000_000),
    })
  }

  const ready = page.getByText(`${lines.toLocaleString('en-GH')} ready`).first()
  await measure('pasted', async () => {
    await page.getByRole('button', { name: 'Paste' }).click()
    await ready.waitFor()
  })
  await page.getByLabel('One number a line').focus()
  await page.keyboard.press('ControlOrMeta+End')
  await measure(`${KEYS} keys typed below them`, () => page.keyboard.type('\n0551234567 1gb Esi A.'.slice(0, KEYS)))
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('button', { name: 'Paste' }).click()
  await ready.waitFor()
  const pay = page.getByRole('button', { name: /^Pay for/ })
  await measure('checked', async () => {
    await page.getByRole('button', { name: /^Check/ }).click()
    await pay.and(page.locator(':enabled')).waitFor({ timeout: 60_000 })
  })
  await measure('scrolled through', () => page.mouse.wheel(0, 50 * lines).then(() => page.waitForTimeout(2_000)))
  const progress = page.getByText(/^[\d,]+ of [\d,]+ completed$/)
  await pay.click()
  await measure('paid', async () => {
    await page.getByRole('alertdialog').getByRole('button', { name: /^Yes/ }).click()
    await progress.waitFor({ timeout: 120_000 })
  })
  if (values.profile) {
    await cdp.send('Profiler.enable')
    await cdp.send('Profiler.start')
  }
  await measure('followed for 30 s', () => page.waitForTimeout(30_000))
  const delivered = await progress.textContent()
  if (values.profile) await writeFile(values.profile, JSON.stringify((await cdp.send('Profiler.stop')).profile))
  await measure('followed to the end', async () => {
    const whole = lines.toLocaleString('en-GH')
    await page.getByText(`${whole} of ${whole} completed`).waitFor({ timeout: 15 * 60_000 })
  })
  // The last news, and the toast that tells of them together.
  await page.waitForTimeout(30_000)
  await measure('at rest for 20 s', () => page.waitForTimeout(20_000))
  const machine = describeMachine()
  console.log(JSON.stringify({ commit: describeCommit(), machine, load: currentLoad(), lines, slower, delivered }, null, 1))
  console.table(steps)
} finally {
  await browser.close()
  await shop.close()
}

/** The bulk page of this agent, with the list copied. */
async function openPage(agent: { token: string }): Promise<Page> {
  const context = await browser.newContext({
    baseURL: shop.address,
    viewport: { width: 360, height: 740 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  await page.addInitScript(`
    globalThis.longTasks = []
    new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ['longtask'] })
  `)
  await page.goto('/favicon.svg')
  await page.evaluate(`{
    for (const key of ['userInfo', 'CurrUser']) localStorage.setItem(key, ${JSON.stringify(JSON.stringify(agent))})
  }`)
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(LIST)})`)
  await page.goto('/agent/bulk')
  await page.getByText('Save the people you send to often').waitFor()
  return page
}

async function readMetrics(cdp: CDPSession) {
  const { metrics } = await cdp.send('Performance.getMetrics')
  const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? 0
  return { Timestamp: of('Timestamp'), TaskDuration: of('TaskDuration'), JSHeapUsedSize: of('JSHeapUsedSize') }
}
