import type { Page } from '@playwright/test'
import { expect, firstTile, keepSession, test } from './shop.ts'

test('a product chosen before any script is there is asked about as soon as it is', async ({ page }) => {
  const letScriptsPass = await holdScripts(page)
  await page.goto('/store', { waitUntil: 'commit' })
  await firstTile(page, 'Telecel').click()
  await firstTile(page, 'MTN').click()
  await firstTile(page, 'MTN').click()
  await expect(page).toHaveURL('/store')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  letScriptsPass()
  await expect(page.getByRole('dialog', { name: 'Buy MTN' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.goBack()
  await expect(page).toHaveURL('/store')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.locator('[data-pressed]')).toHaveCount(0)
})

test('somebody signed in gets the BUY PAGE of what they chose early', async ({ page, shop }) => {
  await keepSession(page, await shop.makeUser({ balance: 30 }))
  const letScriptsPass = await holdScripts(page)
  await page.goto('/store', { waitUntil: 'commit' })
  await firstTile(page, 'Telecel').click()
  letScriptsPass()
  await page.getByRole('button', { name: 'I understand' }).click()
  await expect(page.getByRole('dialog', { name: 'BUY PAGE Telecel' })).toBeVisible()
})

test('whoever has scrolled before any script is there stays where they are', async ({ page }) => {
  const letScriptsPass = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  const checkers = page.getByRole('link', { name: /^WAEC Checkers / })
  await checkers.scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => scrollY)
  expect(before).toBeGreaterThan(0)
  letScriptsPass()
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  // React marks what it has taken over.
  await page.waitForFunction(() => Object.keys(document.querySelector('main a') ?? {}).some((key) => key.startsWith('__react')))
  expect(await page.evaluate(() => scrollY)).toBe(before)
  await checkers.click()
  await expect(page).toHaveURL('/store#waec-checkers')
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
})

test('every other button of the first screens does early what it does late', { tag: '@long' }, async ({ page }) => {
  const letScriptsPass = await holdScripts(page)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/', { waitUntil: 'commit' })
  const voices = page.getByRole('region', { name: 'Testimonials' })
  await page.getByRole('button', { name: 'Dark mode' }).click()
  await voices.getByRole('button', { name: 'Pause the testimonials' }).click()
  await voices.getByRole('button', { name: 'Next testimonial' }).click()
  await expect(page.locator('[data-pressed]')).toHaveCount(3)

  letScriptsPass()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(voices.getByRole('button', { name: 'Play the testimonials' })).toBeVisible()
  await expect(voices.getByText('2 / 3')).toBeVisible()
  await expect(page.locator('[data-pressed]')).toHaveCount(0)

  await voices.getByRole('button', { name: 'Next testimonial' }).click()
  await expect(voices.getByText('3 / 3')).toBeVisible()
})

test('the look that somebody signed in asks for early is the look they get', { tag: '@desktop' }, async ({ page, shop }) => {
  await keepSession(page, await shop.makeUser())
  const letScriptsPass = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Dark mode' }).click()
  letScriptsPass()
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('a link of the first screens leads on before any script is there', async ({ page }) => {
  const letScriptsPass = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('link', { name: 'BUY HERE' }).click()
  await expect(page).toHaveURL('/store')
  await firstTile(page, 'Telecel').click()
  letScriptsPass()
  await expect(page.getByRole('dialog', { name: 'Buy Telecel' })).toBeVisible()
})

/** No script arrives until the function that this returns is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}
