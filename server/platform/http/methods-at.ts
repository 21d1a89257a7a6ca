import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods that an address takes, in the order of the alphabet; none where there is nothing. */
    methodsAt(path: string): string[]
  }
}

/** Notes every route that is added from here on, to tell a wrong method from a wrong address. */
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
