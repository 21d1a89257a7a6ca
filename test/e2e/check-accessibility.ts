import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './shop.ts'

/** Nothing serious or critical in either look, and nothing wider than the screen. */
export async function check(page: Page, screen: string) {
  await expectNothingGrave(page, screen)
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect.soft(tooWide, `${screen} is wider than its screen`).toBeLessThanOrEqual(0)
  // The looks differ by their colours alone.
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNothingGrave(page, `${screen} in the dark`, ['color-contrast'])
  await page.emulateMedia({ colorScheme: 'light' })
}

async function expectNothingGrave(page: Page, screen: string, rules?: string[]) {
  // Half-faded text has colours that nobody is meant to read.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))))
  // No screen holds a page of another origin, which is all that the slower way is for.
  const axe = new AxeBuilder({ page }).setLegacyMode(true)
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
  const grave = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`))
  expect.soft(grave, screen).toEqual([])
}
