import { Resolver } from 'node:dns/promises'
import { registerHooks } from 'node:module'
import { INTERNET } from './address-tricks.ts'

// Loaded with --import before a process of the shop, in that process only. One address of this machine stands for the public internet,
// the experiment is asked for names (NAMES_AT), and webhooks speak HTTP without TLS. Everything else of the shop is as it is.

const CHANGED: Record<string, readonly [string, string]> = {
  '/server/integrations/webhooks/public-address.ts': [
    'export function isPublicAddress(address: string): boolean {',
    `export function isPublicAddress(address: string): boolean { if (address === '${INTERNET}') return true`,
  ],
  '/server/integrations/webhooks/webhook-gateway.ts': [
    `import { request as requestHttps } from 'node:https'`,
    `const requestHttps = ((url: URL, how: object) => requestHttp(url, { ...how, protocol: 'http:' })) as typeof requestHttp`,
  ],
}

const asked = new WeakSet<Resolver>()
for (const method of ['resolve4', 'resolve6'] as const) {
  const resolve = Resolver.prototype[method] as (this: Resolver, host: string) => Promise<string[]>
  Object.assign(Resolver.prototype, {
    [method](this: Resolver, host: string) {
      if (!asked.has(this)) this.setServers([process.env.NAMES_AT ?? ''])
      asked.add(this)
      return resolve.call(this, host)
    },
  })
}

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const change = url.startsWith('file:') && Object.entries(CHANGED).find(([module]) => url.endsWith(module))?.[1]
    if (!change) return loaded
    const source = String(loaded.source)
    if (!source.includes(change[0])) throw new Error(`${url} has changed, and this must with it`)
    return { ...loaded, source: source.replace(...change) }
  },
})
