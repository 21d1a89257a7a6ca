import { defineConfig } from '@playwright/test'
import { resolveHeadlessBrowser } from './test/browser.ts'

const browser = await resolveHeadlessBrowser()
// One process less that pages have to talk to, which saves a tenth of the time.
const launchOptions = { ...browser, args: [...browser.args, '--in-process-gpu'] }

const OWN_SETTINGS = ['**/outside.spec.ts', '**/reconciliation.spec.ts']

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './test/e2e/build-web.ts',
  // Only what fails takes so long; a machine that checks everything at once is slow at times.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  // On two cores: a worker waits half of its time, for a redirect of two seconds or an answer from outside.
  workers: 4,
  // Tests of one file run side by side too, since each makes its own users. Files with settings of their own come first, each
  // in one worker: a further shop for them takes longer than what it would save.
  projects: [
    { name: 'own settings', testMatch: OWN_SETTINGS },
    { name: 'usual settings', testIgnore: OWN_SETTINGS, fullyParallel: true },
  ],
  // A test that passes only the second time is a fault to be found.
  retries: 0,
  forbidOnly: true,
  // Those run by `npm run test:long`.
  grepInvert: /@long/,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions,
    locale: 'en-GH',
    timezoneId: 'Africa/Accra',
    // A service worker would answer what a test means to catch; pwa.spec.ts allows it.
    serviceWorkers: 'block',
    // Recording a trace of every test costs a quarter of the run: `npx playwright test --trace retain-on-failure` for one.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
