import type { Plugin, Rolldown } from 'vite'

/**
 * Fails the build when chunks import each other,
 * or when a customer's screen loads a chunk with admins' or agents' code or schemas in it,
 * or when code starts a worker, which the content security policy forbids: whoever waits for it waits forever.
 */
export function checkChunks(): Plugin {
  return {
    name: 'check-chunks',
    // No customer loads what the server prerenders with.
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const [problem] = [...findCycles(chunks), ...findForeignCode(chunks), ...findWorkers(chunks)]
      if (problem) this.error(problem)
    },
  }
}

/** Such chunks run in the order in which they arrive, so one may find the other's exports undefined. */
function* findCycles(chunks: readonly Rolldown.OutputChunk[]): Generator<string> {
  const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]))
  const done = new Set<string>()
  function* follow(name: string, path: string[]): Generator<string> {
    if (path.includes(name)) yield `these chunks import each other: ${[...path.slice(path.indexOf(name)), name].join(' → ')}`
    if (path.includes(name) || done.has(name)) return
    for (const next of importsOf.get(name) ?? []) yield* follow(next, [...path, name])
    done.add(name)
  }
  for (const { fileName } of chunks) yield* follow(fileName, [])
}

/** A screen or dialog is what the page loads at first or by `import()`; its chunk brings all that it imports along. */
function* findForeignCode(chunks: readonly Rolldown.OutputChunk[]): Generator<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const load = (name: string, loaded = new Set<string>()): Set<string> => {
    if (loaded.has(name)) return loaded
    loaded.add(name)
    for (const next of byName.get(name)?.imports ?? []) load(next, loaded)
    return loaded
  }
  for (const { fileName, name, facadeModuleId, isEntry, isDynamicEntry } of chunks) {
    if (!(isEntry || isDynamicEntry) || (facadeModuleId !== null && isAdmin(facadeModuleId))) continue
    const modules = [...load(fileName)].flatMap((loaded) => byName.get(loaded)?.moduleIds ?? [])
    for (const module of modules.filter(isAdmin)) yield `${name} loads admin code: ${module}`
    if (facadeModuleId === null || !isAgents(facadeModuleId))
      for (const module of modules.filter(isAgents)) yield `${name} loads agents' code: ${module}`
    for (const module of modules.filter(isZod))
      yield `${name} loads schemas, so one of its imports from shared/ has to be a file without any: ${module}`
  }
}

function* findWorkers(chunks: readonly Rolldown.OutputChunk[]): Generator<string> {
  for (const { name, code } of chunks) if (/\bnew\s+(?:\w+\.)?Worker\(/.test(code)) yield `${name} starts a worker`
}

function isAdmin(module: string): boolean {
  return /\/web\/.*\/admin\//.test(module)
}

function isAgents(module: string): boolean {
  return /\/web\/.*\/agent\//.test(module)
}

function isZod(module: string): boolean {
  return module.includes('/node_modules/zod/')
}
