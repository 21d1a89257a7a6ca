import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { resolveBrowser } from '../test/browser.ts'
import { openShop } from '../test/e2e/open-shop.ts'
import type { Figure } from './figures.ts'
import { type Budget, findExcess, openWeighedShop, type PageWeight, readBudgets, weighPage } from './measure-page.ts'

// What a first and a second visit cost on the wire: npm run node -- bench/page-weight.ts [--json]. Exit code 1: over budget.json.
const { values: options } = parseArgs({ options: { json: { type: 'boolean', default: false } } })

const shop = await openShop('weight')
const browser = await chromium.launch(await resolveBrowser())
try {
  await openWeighedShop(shop)
  const budgets = Object.entries(await readBudgets())
  const excess: string[] = []
  const weights: PageWeight[] = []
  for (const [path, budget] of budgets) {
    const weight = await weighPage(browser, shop.address, path)
    weights.push(weight)
    excess.push(...findExcess(weight, budget))
  }
  if (options.json)
    console.log(
      JSON.stringify({ weights, figures: budgets.flatMap(([, budget], index) => toFigures(weights[index] as PageWeight, budget)) }),
    )
  else {
    console.log('path      code+style   in all   requests   second visit   (bytes)')
    for (const { path, codeBytes, totalBytes, requests, secondVisitBytes } of weights) {
      const cells = [String(codeBytes).padStart(12), String(totalBytes).padStart(9), String(requests.length).padStart(11)]
      console.log(`${path.padEnd(8)}${cells.join('')}${String(secondVisitBytes).padStart(15)}`)
    }
  }
  for (const line of excess) console.error(line)
  process.exitCode = excess.length > 0 ? 1 : 0
} finally {
  await browser.close()
  await shop.close()
}

function toFigures({ path, codeBytes, secondVisitBytes }: PageWeight, budget: Budget): Figure[] {
  const figure = (id: string, what: string, bytes: number, most: number): Figure => ({
    id: `${id}-${path}`,
    name: `${what} of ${path}, on the wire`,
    keep: 'at most',
    target: most / 1_000,
    value: bytes / 1_000,
    unit: 'KB',
  })
  const second = budget.secondVisitBytes
  return [
    figure('code', 'Code and style', codeBytes, budget.codeBytes),
    ...(second === undefined ? [] : [figure('second', 'A second visit', secondVisitBytes, second)]),
  ]
}
