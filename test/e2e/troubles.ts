import type { BrowserContext } from '@playwright/test'

/** What went wrong in the browsers of one test, one line each: `409 POST /api/order/checkout`, `console: …`. */
export type Troubles = {
  watch(context: BrowserContext): Promise<void>
  /** Declares an error that the test causes. It fails if the error never comes. */
  expect(trouble: RegExp): void
  unexpected(): string[]
  missing(): string[]
}

export function collectTroubles(): Troubles {
  const found: string[] = []
  const expected: RegExp[] = []
  return {
    async watch(context) {
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
          console.error(`content security policy: ${violatedDirective} forbids ${blockedURI}`)
        })
      })
      context.on('console', (message) => {
        // Failed replies are recorded below, with their request.
        if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return
        found.push(`console: ${message.text()} (${message.location().url})`)
      })
      context.on('weberror', (error) => found.push(`page: ${error.error().stack || String(error.error())}`))
      context.on('response', (response) => {
        // A channel that the server has closed answers a poll that was on its way with 400.
        if (response.status() === 400 && pathOf(response.url()) === '/socket.io/') return
        if (response.status() >= 400) found.push(`${response.status()} ${response.request().method()} ${pathOf(response.url())}`)
      })
      context.on('requestfailed', (request) => {
        // The page itself gives up what it no longer needs, like a list while another screen opens.
        if (request.failure()?.errorText === 'net::ERR_ABORTED') return
        found.push(`failed ${request.method()} ${pathOf(request.url())}: ${request.failure()?.errorText}`)
      })
    },
    expect: (trouble) => void expected.push(trouble),
    unexpected: () => found.filter((trouble) => !expected.some((pattern) => pattern.test(trouble))),
    missing: () => expected.filter((pattern) => !found.some((trouble) => pattern.test(trouble))).map(String),
  }
}

function pathOf(url: string): string {
  const { pathname } = new URL(url)
  return pathname
}
