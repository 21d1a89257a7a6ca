import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { DESKTOP, expect, PHONE } from './shop.ts'

type Options = { runOnly?: string[]; rules?: Record<string, { enabled: boolean }> }
type Violation = { id: string; impact: string | null; nodes: { target: string[]; failureSummary: string }[] }
type Axe = { run(options: Options & { resultTypes: string[] }): Promise<{ violations: Violation[] }> }

const NARROW = { width: 320, height: 640 }
const CONTRAST = 'color-contrast'
/** As its package for Playwright brings it, whose own way of running it takes twice the time: no screen holds a page of another origin. */
const AXE = createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js')

/** No serious or critical violation in light or dark mode, and nothing wider than the screen. */
export async function check(page: Page, screen: string) {
  await expectNothingGrave(page, screen)
  await expectNoSidewaysScroll(page, screen)
  // Light and dark mode only differ in colours.
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNothingGrave(page, `${screen} in the dark`, { runOnly: [CONTRAST] })
  await page.emulateMedia({ colorScheme: 'light' })
}

/** The same, plus at the other screen size the rules that do not depend on colours, since its layout may differ, on a narrow phone and with large text. */
export async function checkAtBothSizes(page: Page, screen: string, { largeText = true } = {}) {
  await check(page, screen)
  const size = page.viewportSize() ?? DESKTOP.viewport
  await page.setViewportSize(size.width === DESKTOP.viewport.width ? PHONE.viewport : DESKTOP.viewport)
  // React has drawn the other layout by then.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  await expectNothingGrave(page, `${screen} at the other size`, { rules: { [CONTRAST]: { enabled: false } } })
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
async function expectNothingGrave(page: Page, screen: string, options: Options = {}) {
  let grave = await findGrave(page, options)
  for (let again = 0; grave.length > 0 && again < 2; again++) grave = await findGrave(page, options)
  expect.soft(grave, screen).toEqual([])
}

async function findGrave(page: Page, options: Options): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window)
  if (!isThere) {
    // Half a megabyte, which a page keeps.
    await page.evaluate(await readFile(AXE, 'utf8'))
    // Colours that fade over have too little contrast meanwhile, and are looked at again for nothing.
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('*, ::before, ::after { transition: none !important }')
      document.adoptedStyleSheets.push(sheet)
    })
  }
  // What moves, from the next frame on, comes to rest first, but for what turns until it is gone.
  await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    await Promise.all(ending.map((animation) => animation.finished.catch(() => undefined)))
  })
  return page.evaluate(async (given) => {
    const { axe } = window as unknown as { axe: Axe }
    const { violations } = await axe.run({ ...given, resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`))
  }, options)
}
