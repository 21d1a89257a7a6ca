import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods that an address accepts, sorted; empty for an unknown address. */
    methodsAt(path: string): string[]
  }
}

/** Records every route added from here on, to tell 405 from 404. */
export function noteMethods(app: FastifyInstance) {
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return
    const route = known.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    known.set(url, route)
    for (const one of [method].flat()) route.methods.add(one)
  })
  app.decorate('methodsAt', (path: string) => {
    const methods = [...known.values()].filter(({ pattern }) => pattern.test(path)).flatMap((route) => [...route.methods])
    return [...new Set(methods)].sort()
  })
}

function patternOf(url: string): RegExp {
  return new RegExp(`^${url.replace(/[.?+^$()|[\]\\{}]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)
}
