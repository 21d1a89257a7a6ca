import type { FastifyInstance } from 'fastify'

export type Route = { method: string; path: string }

/** Every route of an app that is ready, as the app itself lists them; of `/api` and without its documentation. */
export function readRoutes(app: Pick<FastifyInstance, 'printRoutes'>): Route[] {
  return readAllRoutes(app).filter(({ path }) => path.startsWith('/api/') && !path.startsWith('/api/docs'))
}

/** Every route at all. */
export function readAllRoutes(app: Pick<FastifyInstance, 'printRoutes'>): Route[] {
  return readTree(app.printRoutes({ commonPrefix: false, includeHooks: false }))
}

/** The printed tree has one line per node, four characters of indent per level, and the verbs in brackets. */
function readTree(tree: string): Route[] {
  const above: string[] = []
  const routes: Route[] = []
  for (const line of tree.split('\n')) {
    const match = /^((?:[│ ] {3})*)[├└]── (\S+)(?: \(([A-Z, -]+)\))?/.exec(line)
    if (!match) continue
    const depth = (match[1] as string).length / 4
    above.length = depth
    const path = `${above.join('')}${match[2]}`
    above.push(match[2] as string)
    for (const method of match[3]?.split(', ') ?? []) routes.push({ method, path })
  }
  return routes
}
