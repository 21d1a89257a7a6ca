import type * as FastifyModule from 'fastify'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import type { Db, Queryable } from '../../server/platform/db.ts'
import type { Endpoint, Endpoints } from '../../shared/endpoint.ts'
import type { ShopsOptions } from '../shops.ts'

/** Exports of one module that are replaced when the module is loaded; each is made from the module's own. */
export type Replacement = { module: string; exports: Record<string, (original: Record<string, unknown>) => unknown> }

/** A protection of the shop, and how to leave it out; its experiment must then report a violation. */
export type Guard = {
  experiment: string
  runs: number
  removed: string
  /** Changes the database: drops a constraint or a trigger, or wraps a function. */
  fromDatabase?: (db: Db) => Promise<void>
  /** Exports of the program that are replaced. Those of `web/` are replaced in a build of their own. */
  replaced?: Replacement[]
  /** Runs in a process of the shop before anything else of it is loaded. */
  atStart?: () => void
  /** Files that are added to a copy of the program, for experiments that read the sources. */
  planted?: Record<string, string>
  /** The experiment uses the program's modules in its own process, so all of it runs in another process. */
  apart?: true
}

/** `removed` says which protection is left out, as the table in docs/resilience.md shows it. */
export function guard(experiment: string, runs: number, removed: string, how: Omit<Guard, 'experiment' | 'runs' | 'removed'>): Guard {
  return { experiment, runs, removed, ...how }
}

/** The one name of a guard, which `resilience/without.ts` finds it by. */
export const nameOf = ({ experiment, removed }: Guard) => `${experiment} ${removed}`

/** Whether processes of the shop run differently without it. */
export function isOfProcess({ replaced, atStart }: Guard): boolean {
  return replaced !== undefined || atStart !== undefined
}

/** How shops are opened without a guard: with a damaged database, with damaged processes, or both. */
export function withoutIt(guard: Guard): Pick<ShopsOptions, 'spoil' | 'without'> {
  const { fromDatabase } = guard
  return { ...(fromDatabase && { spoil: fromDatabase }), ...(isOfProcess(guard) && { without: nameOf(guard) }) }
}

/**
 * Replaces exports of a module of ours (its path from here) or of a package. The compiler checks the names and their types, so a
 * guard that was renamed or moved is a type error, and one that was only rewritten needs nothing.
 */
export function replace<M extends object>(module: string, exports: { [N in keyof M]?: (original: M) => M[N] }): Replacement {
  return { module, exports: exports as unknown as Replacement['exports'] }
}

/** For the most frequent replacement: one function, which is called through another that gets it first. */
export function inModule<M extends object>(module: string) {
  type Call<F> = F extends (...given: infer Given) => infer Result ? (original: F, ...given: Given) => Result : never
  return {
    wrap<N extends keyof M & string>(name: N, call: Call<M[N]>): Replacement {
      const pass = call as (...given: unknown[]) => unknown
      return {
        module,
        exports: {
          [name]:
            (original) =>
            (...given: unknown[]) =>
              pass(original[name], ...given),
        },
      }
    },
  }
}

/**
 * The same for a module of the web app, whose types this part of the program does not know; a test sees that the exports are
 * there. A function here runs in the browser, so it may use only what it is given.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above.
export function replaceInWeb(module: string, exports: Record<string, (original: any) => unknown>): Replacement {
  return { module, exports }
}

/** The same transaction, in which no row is locked. */
export function withoutLocks<Q extends Queryable>(tx: Q): Q {
  const unlocked = (text: string) =>
    text.replace(/\bfor (?:no key update|update|key share|share)(?: of \w+(?:, ?\w+)*)?(?: skip locked)?/gi, '')
  return new Proxy(tx, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name)
      return (config: string | { text: string; name?: string }, ...rest: unknown[]) => {
        const query = target.query as unknown as (...given: unknown[]) => unknown
        if (typeof config === 'string') return query.call(target, unlocked(config), ...rest)
        const { name: prepared, ...others } = config
        return query.call(target, { ...others, text: unlocked(config.text), ...(prepared && { name: `${prepared} unlocked` }) }, ...rest)
      }
    },
  })
}

/** Endpoints of which one has other schemas or another access. */
export function withEndpoint<E extends Endpoints>(declared: E, route: keyof E, parts: Partial<Endpoint>): E {
  return { ...declared, [route]: { ...declared[route], ...parts } }
}

/** The server with other options, or with `prepare` run before anything is added to it. */
export function changeFastify({
  options = (given) => given,
  prepare = () => {},
}: {
  options?: (given: FastifyServerOptions & { http?: object }) => object
  prepare?: (app: FastifyInstance) => void
}): Replacement {
  return replace<typeof FastifyModule>('fastify', {
    default: ({ default: build }) =>
      ((given: FastifyServerOptions) => {
        const app = build(options(given))
        prepare(app)
        return app
      }) as unknown as typeof build,
  })
}

/** Writes a call of the original function with the wrapper's own arguments, but for those that are given. */
type CallOriginal = (changed?: Record<string, string>) => string

/** Renames a database function and puts one in PL/pgSQL in its place, whose body `write` returns. */
export async function wrapFunction(db: Db, name: string, write: (original: CallOriginal) => string) {
  const { rows } = await db.query<{ parameters: string; types: string; result: string; names: string[] }>(
    `select pg_get_function_arguments(oid) as parameters, pg_get_function_identity_arguments(oid) as types,
       pg_get_function_result(oid) as result, proargnames[1:pronargs] as names
     from pg_proc where proname = $1 and pronamespace = 'public'::regnamespace`,
    [name],
  )
  const found = rows[0]
  if (!found) throw new Error(`the database has no function ${name}`)
  const original: CallOriginal = (changed = {}) => {
    const unknown = Object.keys(changed).filter((one) => !found.names.includes(one))
    if (unknown.length > 0) throw new Error(`${name} has no parameter ${unknown.join(', ')}`)
    return `guarded_${name}(${found.names.map((one) => changed[one] ?? one).join(', ')})`
  }
  await db.query(`alter function ${name}(${found.types}) rename to guarded_${name};
    create function ${name}(${found.parameters}) returns ${found.result} language plpgsql as $wrapper$ ${write(original)} $wrapper$`)
}

/** The same database function, which locks no row by `for update`. */
export async function withoutRowLocks(db: Db, name: string) {
  const { rows } = await db.query<{ source: string }>(
    `select pg_get_functiondef(oid) as source from pg_proc where proname = $1 and pronamespace = 'public'::regnamespace`,
    [name],
  )
  const source = rows[0]?.source ?? ''
  const unlocked = source.replace(/\bfor (update|share)\b/gi, '')
  if (unlocked === source) throw new Error(`${name} locks no row`)
  await db.query(unlocked)
}

/** Runs `body`, in PL/pgSQL, for each row before it is inserted or updated; it may change `new`, or return null to leave it out. */
export async function beforeEach(db: Db, event: 'insert' | 'update', table: string, body: string) {
  const name = `unguarded_${event}_${table}`
  await db.query(
    `create or replace function ${name}() returns trigger language plpgsql security definer as $$ begin ${body} return new; end $$`,
  )
  await db.query(`create or replace trigger ${name} before ${event} on ${table} for each row execute function ${name}()`)
}
