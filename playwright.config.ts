import { defineConfig } from '@playwright/test'
import { resolveBrowser } from './test/browser.ts'

const launchOptions = await resolveBrowser()

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './test/e2e/build-web.ts',
  // Only what fails takes so long; a machine that checks everything at once is slow at times.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  workers: 2,
  // A test that passes only the second time is a fault to be found.
  retries: 0,
  forbidOnly: true,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions,
    locale: 'en-GH',
    timezoneId: 'Africa/Accra',
    // A service worker would answer what a test means to catch; pwa.spec.ts allows it.
    serviceWorkers: 'block',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
  // Most journeys are made at both sizes; where the size does not matter a tag keeps them to one.
  projects: [
    {
      name: 'phone',
      grepInvert: /@desktop/,
      use: {
        viewport: { width: 360, height: 740 },
        deviceScaleFactor: 2,
        isMobile: true,
        hasTouch: true,
        userAgent: 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Mobile Safari/537.36',
      },
    },
    { name: 'desktop', grepInvert: /@phone/, use: { viewport: { width: 1440, height: 900 } } },
  ],
})
