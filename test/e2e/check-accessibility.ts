import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { DESKTOP, expect, PHONE } from './shop.ts'

const NARROW = { width: 320, height: 640 }

/** No serious or critical violation in light or dark mode, and nothing wider than the screen. */
export async function check(page: Page, screen: string) {
  await expectNothingGrave(page, screen)
  await expectNoSidewaysScroll(page, screen)
  // Light and dark mode only differ in colours.
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNothingGrave(page, `${screen} in the dark`, (axe) => axe.withRules(['color-contrast']))
  await page.emulateMedia({ colorScheme: 'light' })
}

/** The same, plus at the other screen size the rules that do not depend on colours, since its layout may differ, on a narrow phone and with large text. */
export async function checkAtBothSizes(page: Page, screen: string, { largeText = true } = {}) {
  await check(page, screen)
  const size = page.viewportSize() ?? DESKTOP.viewport
  await page.setViewportSize(size.width === DESKTOP.viewport.width ? PHONE.viewport : DESKTOP.viewport)
  // React has drawn the other layout by then.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await expectNothingGrave(page, `${screen} at the other size`, (axe) => axe.disableRules(['color-contrast']))
  await expectNoSidewaysScroll(page, `${screen} at the other size`)
  await page.setViewportSize(NARROW)
  await expectNoSidewaysScroll(page, `${screen} on a narrow phone`)
  if (largeText) {
    await page.setViewportSize(PHONE.viewport)
    await enlargeText(page, '200%')
    await expectNoSidewaysScroll(page, `${screen} with text of twice the size`)
    await enlargeText(page, '')
  }
  await page.setViewportSize(size)
}

async function enlargeText(page: Page, size: string) {
  await page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  }, size)
}

/** Waits until the layout for this size is drawn, which happens some time after the size has changed. */
async function expectNoSidewaysScroll(page: Page, screen: string) {
  const findTooWide = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      if (scrollWidth <= clientWidth) return []
      const isCut = (one: Element | null): boolean =>
        one !== null && one !== document.body && (getComputedStyle(one).overflowX !== 'visible' || isCut(one.parentElement))
      const outside = [...document.querySelectorAll('body *')].filter(
        (one) => one.getBoundingClientRect().right > clientWidth && !isCut(one.parentElement),
      )
      return [`${scrollWidth - clientWidth} px`, ...outside.map((one) => `${one.tagName} ${one.className}`)].slice(0, 20)
    })
  await expect.configure({ soft: true }).poll(findTooWide, `${screen} is wider than its screen`).toEqual([])
}

/** A toast may fade in or out while the page is looked at: what is wrong then is looked at again at rest, twice at most. */
async function expectNothingGrave(page: Page, screen: string, narrow = (axe: AxeBuilder) => axe) {
  let grave = await findGrave(page, narrow)
  for (let again = 0; grave.length > 0 && again < 2; again++) grave = await findGrave(page, narrow)
  expect.soft(grave, screen).toEqual([])
}

async function findGrave(page: Page, narrow: (axe: AxeBuilder) => AxeBuilder): Promise<string[]> {
  // Wait for fades: half-faded text has too little contrast.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))))
  // The builder sends axe's half megabyte with every look, but a page keeps it.
  const isThere = await page.evaluate(() => 'axe' in window)
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: '0' }) })
  // No screen holds a page of another origin, which is all that the slower way is for.
  const { violations } = await narrow(axe.setLegacyMode(true).options({ resultTypes: ['violations'] })).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`))
}
