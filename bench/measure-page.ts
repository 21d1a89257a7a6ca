import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Browser, Page } from '@playwright/test'
import type { Shop } from '../test/e2e/open-shop.ts'
import { openFaultProxy } from '../test/fault-proxy.ts'

export type Budget = { codeBytes: number; requests: number; totalBytes: number; secondVisitBytes?: number }
export type PageWeight = {
  path: string
  /** JavaScript as it was sent and the page's own style, each compressed by brotli. */
  codeBytes: number
  /** All that went over the line, headers and pictures included. */
  totalBytes: number
  /** Pages, scripts, styles and calls until it could be used; pictures come beside them. */
  requests: string[]
  /** Scripts that belong to neither this screen nor all of them. */
  foreign: string[]
  secondVisitBytes: number
}

const ROOT = resolve(import.meta.dirname, '..')
/** The property that React sets on an interactive element. */
const USABLE = `[...document.querySelectorAll('main a, main button')].some((one) => Object.keys(one).some((key) => key.startsWith('__react')))`

export async function readBudgets(): Promise<Record<string, Budget>> {
  return JSON.parse(await readFile(resolve(ROOT, 'bench/budget.json'), 'utf8'))
}

/** Opens the agent's shop whose page has a budget. */
export async function openWeighedShop(shop: Pick<Shop, 'call' | 'makeUser' | 'admin'>): Promise<void> {
  await shop.call('PUT', '/agent-shops/rules', { as: shop.admin, body: { newShops: true } })
  const look = { name: 'Weighed Data', about: 'Madina', colour: 'plum', phone: '0245550100', whatsapp: '0245550100' }
  await shop.call('POST', '/my-shop', { as: await shop.makeUser({ level: 'Agent' }), body: { ...look, slug: 'madina' } })
}

/** Visits a page as somebody who has never been there, on a phone, and then once more. */
export async function weighPage(browser: Browser, address: string, path: string): Promise<PageWeight> {
  const proxy = await openFaultProxy(address)
  const context = await browser.newContext({
    baseURL: proxy.url,
    viewport: { width: 360, height: 740 },
    deviceScaleFactor: 2,
    isMobile: true,
    serviceWorkers: 'allow',
  })
  try {
    const page = await context.newPage()
    const requests = new Set<string>()
    const code = new Map<string, Promise<number>>()
    let usable = false
    page.on('request', (request) => {
      if (!usable && ['document', 'script', 'stylesheet', 'fetch', 'xhr'].includes(request.resourceType()))
        requests.add(pathOf(request.url()))
    })
    page.on('requestfinished', (request) => {
      const name = pathOf(request.url())
      // What was fetched ahead is taken from the browser's own store the second time.
      if (!/\.js$/.test(name) || code.has(name) || request.serviceWorker()) return
      code.set(
        name,
        request.sizes().then(({ responseBodySize }) => responseBodySize),
      )
    })
    await page.goto(path)
    await until(page, USABLE)
    usable = true
    await page.waitForLoadState('networkidle')
    const scriptBytes = (await Promise.all(code.values())).reduce((sum, bytes) => sum + bytes, 0)
    const names = [...code.keys()]
    const { down: totalBytes } = proxy.counts
    const style = await page.evaluate(`[...document.querySelectorAll('style')].map((one) => one.textContent).join('')`)
    const known = new Set(await screenFiles(page, path))

    await until(page, `navigator.serviceWorker.controller?.state === 'activated'`)
    await page.goto('about:blank')
    const before = proxy.counts.down
    await page.goto(path)
    await until(page, USABLE)
    await page.waitForLoadState('networkidle')
    return {
      path,
      codeBytes: scriptBytes + brotliBytes(String(style)),
      totalBytes,
      requests: [...requests],
      foreign: names.filter((name) => !known.has(name)),
      secondVisitBytes: proxy.counts.down - before,
    }
  } finally {
    await context.close()
    await proxy.close()
  }
}

/** The page's content security policy forbids the browser driver's own way to wait, which evaluates text. */
async function until(page: Page, condition: string, withinMs = 20_000) {
  const deadline = performance.now() + withinMs
  while (!(await page.evaluate(condition))) {
    if (performance.now() > deadline) throw new Error(`${page.url()} never came to this: ${condition}`)
    await page.waitForTimeout(50)
  }
}

/** What is over budget, in words; empty when nothing is. */
export function findExcess(weight: PageWeight, budget: Budget): string[] {
  const excess: string[] = []
  const check = (what: string, is: number, most: number | undefined) => {
    if (most !== undefined && is > most) excess.push(`${weight.path}: ${what} ${is}, at most ${most}`)
  }
  check('bytes of code and style', weight.codeBytes, budget.codeBytes)
  check('requests before it can be used', weight.requests.length, budget.requests)
  check('bytes in all', weight.totalBytes, budget.totalBytes)
  check('bytes of a second visit', weight.secondVisitBytes, budget.secondVisitBytes)
  if (weight.foreign.length > 0) excess.push(`${weight.path}: code of other screens: ${weight.foreign.join(', ')}`)
  return excess
}

/** The code that the page itself says it needs, and what keeps it for the next visit. */
async function screenFiles(page: Page, path: string): Promise<string[]> {
  const named = JSON.parse(String(await page.evaluate(`document.getElementById('code').textContent`))) as string[]
  const screens = JSON.parse(await readFile(resolve(ROOT, 'dist/prerender/screens.json'), 'utf8')) as Record<string, string[]>
  // All agents' shops are one screen.
  const screen = path.startsWith('/s/') ? '/s' : path
  const others = Object.entries(screens).flatMap(([other, files]) => (other === screen ? [] : files))
  return named.filter((file) => !others.includes(file) || screens[screen]?.includes(file))
}

function brotliBytes(text: string): number {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length
}

function pathOf(url: string): string {
  return new URL(url).pathname
}
