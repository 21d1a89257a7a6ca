/// <reference lib="webworker" />
import type { WorkboxPlugin } from 'workbox-core'
import { ExpirationPlugin } from 'workbox-expiration'
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { CacheFirst } from 'workbox-strategies'
import { SCREEN_PATH } from '../shared/screen-addresses.ts'

declare const self: ServiceWorkerGlobalScope
/** Named after their contents; put here by the build. */
declare const __FILES__: string[]

/** The server writes here what its pages are now: they hold the operator's settings, which may change without a build. */
const REVISION = '__PAGES__'
const SHELL = '/app-shell'
const TRIES = 6
const PAUSE_MS = 500

/** Retries a lost file, because a browser never requests a failed module again. */
const askAgain: WorkboxPlugin = {
  async handlerDidError({ request }) {
    for (let attempt = 1; attempt <= TRIES && self.navigator.onLine; attempt++) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt))
      const reply = await fetch(request.url).catch(() => undefined)
      if (reply) return reply
    }
    return undefined
  },
}

// Cache public files only, never API calls, so nobody is shown a cached price to pay.
precacheAndRoute([...__FILES__, { url: SHELL, revision: REVISION }])
cleanupOutdatedCaches()

registerRoute(
  ({ request, url, sameOrigin }) => sameOrigin && request.mode === 'navigate' && SCREEN_PATH.test(url.pathname),
  createHandlerBoundToURL(SHELL),
)

// Both are named after their contents, so a copy is never old.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  new CacheFirst({ cacheName: 'code', plugins: [askAgain, keepNewest()] }),
)
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/images/'),
  new CacheFirst({ cacheName: 'pictures', plugins: [keepNewest()] }),
)

function keepNewest(): WorkboxPlugin {
  // The library's own types disagree with each other under exactOptionalPropertyTypes.
  return new ExpirationPlugin({ maxEntries: 80, purgeOnQuotaError: true }) as WorkboxPlugin
}

// A new version is used at the next page, without waiting for every old one to be closed.
self.addEventListener('install', () => void self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
