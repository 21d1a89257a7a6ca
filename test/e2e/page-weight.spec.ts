import { readFile } from 'node:fs/promises'
import { findExcess, openWeighedShop, readBudgets, weighPage } from '../../bench/measure-page.ts'
import { expect, test } from './shop.ts'

for (const path of ['/', '/store']) {
  test(`${path} stays within its budget, at the first visit and the second`, async ({ browser, shop }) => {
    const budget = (await readBudgets())[path]
    if (!budget) throw new Error(`bench/budget.json has no budget for ${path}`)
    expect(findExcess(await weighPage(browser, shop.address, path), budget)).toEqual([])
  })

  test(`${path} can be read before any script has run`, async ({ browser, shop }) => {
    const context = await browser.newContext({ baseURL: shop.address, javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('main')).toContainText('MTN')
    if (path === '/store') await expect(page.getByRole('region', { name: 'MTN', exact: true })).toContainText('¢5.50')
    await context.close()
  })
}

test('an agent’s shop, whose guests come by a link, stays within its budget', async ({ browser, shop }) => {
  await openWeighedShop(shop)
  const budget = (await readBudgets())['/s/madina']
  if (!budget) throw new Error('bench/budget.json has no budget for /s/madina')
  expect(findExcess(await weighPage(browser, shop.address, '/s/madina'), budget)).toEqual([])
})

test('every class of the first screens is in the style that comes with them', async ({ shop }) => {
  for (const path of ['/', '/store']) {
    const page = await (await fetch(`${shop.address}${path}`, { headers: { accept: 'text/html' } })).text()
    const html = page.replaceAll('&amp;', '&').replaceAll('&gt;', '>')
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? ''
    const used = new Set([...html.matchAll(/ class="([^"]+)"/g)].flatMap(([, names]) => (names as string).split(' ')))
    const missing = [...used].filter((name) => !style.includes(`.${name.replace(/[^\w-]/g, '\\$&')}`))
    expect(missing.filter((name) => name !== 'group' && !name.startsWith('lucide'))).toEqual([])
  }
})

test('the server loads no more than the first screens to prerender them', async () => {
  const loaded = new Map<string, string>()
  const load = async (file: URL) => {
    if (loaded.has(file.href)) return
    const code = await readFile(file, 'utf8')
    loaded.set(file.href, code)
    for (const [, name] of code.matchAll(/(?:\bfrom|\bimport)\s*["'](\.[^"']+)["']/g)) await load(new URL(name as string, file))
  }
  await load(new URL('../../dist/prerender/prerender.js', import.meta.url))
  const bytes = [...loaded.values()].reduce((sum, code) => sum + Buffer.byteLength(code), 0)
  expect(bytes).toBeLessThan(600_000)
})
