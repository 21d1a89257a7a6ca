import { chromium } from '@playwright/test'
import { resolveBrowser } from '../test/browser.ts'
import { buyOnThinLine } from '../test/buy-on-a-thin-line.ts'
import { openShop } from '../test/e2e/open-shop.ts'
import type { Figure } from './figures.ts'

// A hundred purchases in a real browser on a line of 50 kbit/s, two seconds of round trip and five lost requests of a hundred:
// npm run node -- bench/thin-line.ts [purchases]. Five people buy at the same time, each on a line of their own. Exit code 1: an
// order too many or too few.
const PURCHASES = Number(process.argv[2] ?? 100)
const PEOPLE = 5

const shop = await openShop('thin')
const browser = await chromium.launch(await resolveBrowser())
try {
  const startedAt = performance.now()
  const times = Math.ceil(PURCHASES / PEOPLE)
  const all = await Promise.all(Array.from({ length: PEOPLE }, (_, seat) => buyOnThinLine(browser, shop, { times, seat })))
  const seconds = (performance.now() - startedAt) / 1000
  const wanted = all.flatMap(({ receivers }) => receivers)
  const ordered = all.flatMap(({ orders }) => orders.map((order) => order.receiver))
  const balances = all.every(({ balance, expectedBalance }) => balance === expectedBalance)
  const lost = all.reduce((sum, one) => sum + one.lost, 0)
  const requests = all.reduce((sum, one) => sum + one.requests, 0)
  const once = ordered.length === wanted.length && new Set(ordered).size === wanted.length
  const asJson = process.argv.includes('--json')
  if (asJson) console.log(JSON.stringify({ figures: [toFigure(once && balances ? 0 : 1 + Math.abs(wanted.length - ordered.length))] }))
  const say = asJson ? console.error : console.log
  say(
    `${wanted.length} purchases, ${ordered.length} orders, ${ordered.length - new Set(ordered).size} twice; every balance ${balances ? 'right' : 'WRONG'}; ${lost} of ${requests} requests lost; ${seconds.toFixed(0)} s`,
  )
  process.exitCode = once && balances ? 0 : 1
} finally {
  await browser.close()
  await shop.close()
}

function toFigure(wrong: number): Figure {
  return {
    id: 'thin-line',
    name: `Orders lost or doubled of ${PURCHASES}, at 50 kbit/s with 5 of 100 requests lost`,
    keep: 'at most',
    target: 0,
    value: wrong,
    unit: '',
  }
}
