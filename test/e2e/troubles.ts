import type { BrowserContext, Page, Request } from '@playwright/test'

/** What went wrong in the browsers of one test, one line each: `409 POST /api/order/checkout`, `console: …`. */
export type Troubles = {
  watch(context: BrowserContext): Promise<void>
  /** Declares an error that the test causes. It fails if the error never comes. */
  expect(trouble: RegExp): void
  /** Declares an error that comes or does not, depending on which of two things is first. */
  allow(trouble: RegExp): void
  unexpected(): string[]
  missing(): string[]
}

export function collectTroubles(): Troubles {
  const found: string[] = []
  const expected: RegExp[] = []
  const allowed: RegExp[] = []
  /** The token with which each page has signed out. */
  const signedOut = new Map<Page, string>()
  const isFromBeforeSignOut = (request: Request) => {
    const token = tokenOf(request)
    return token !== undefined && request.method() === 'GET' && signedOut.get(request.frame().page()) === token
  }
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
      context.on('request', (request) => {
        if (pathOf(request.url()) === '/api/user/logout') signedOut.set(request.frame().page(), tokenOf(request) ?? '')
      })
      context.on('response', (response) => {
        // What a page asked for just before it signed out may be answered after it.
        if (response.status() === 401 && isFromBeforeSignOut(response.request())) return
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
    allow: (trouble) => void allowed.push(trouble),
    unexpected: () => found.filter((trouble) => ![...expected, ...allowed].some((pattern) => pattern.test(trouble))),
    missing: () => expected.filter((pattern) => !found.some((trouble) => pattern.test(trouble))).map(String),
  }
}

function pathOf(url: string): string {
  const { pathname } = new URL(url)
  return pathname
}

function tokenOf(request: Request): string | undefined {
  return request.headers().authorization
}
