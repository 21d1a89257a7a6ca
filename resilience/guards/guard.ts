import type { Db, Queryable } from '../../server/platform/db.ts'

/** A file of the program, what stands there, and what takes its place. */
export type Edit = [file: string, was: string, becomes: string]

/** Exports of one module that are replaced when the module is loaded; each is made from the module's own. */
export type Replacement = { module: string; exports: Record<string, (original: Record<string, unknown>) => unknown> }

export type Guard = {
  experiment: string
  runs: number
  removed: string
  /** What is taken out of the database. */
  fromDatabase?: (db: Db) => Promise<void>
  /** What is taken out of the program, by the names of exports. */
  replaced?: Replacement[]
  /** What is done in a process of the shop before it begins. */
  atStart?: () => void
  /** What is taken out of the program's text; only where no export has the guard. */
  fromProgram?: Edit[]
  /** The experiment looks at the program's parts in its own process, so it is the copy's experiment that runs. */
  inCopy?: boolean
}

/** The one name of a guard, which `resilience/without.ts` finds it by. */
export const nameOf = ({ experiment, removed }: Guard) => `${experiment} ${removed}`

/**
 * Replaces exports of a module of ours (its path from here) or of a package. The compiler checks the names and their types, so a
 * guard that was renamed or moved is a type error, and one that was only rewritten needs nothing.
 */
export function replace<M extends object>(module: string, exports: { [N in keyof M]?: (original: M) => M[N] }): Replacement {
  return { module, exports: exports as unknown as Replacement['exports'] }
}

/** The same transaction, in which no row is locked. */
export function withoutLocks<Q extends Queryable>(tx: Q): Q {
  const unlocked = (text: string) => text.replace(/\bfor (?:no key )?update(?: of \w+)?(?: skip locked)?/gi, '')
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

export async function editFunction(db: Db, name: string, edits: [string, string][]) {
  const { rows } = await db.query<{ source: string }>('select pg_get_functiondef(oid) as source from pg_proc where proname = $1', [name])
  let source = rows[0]?.source as string
  for (const [was, becomes] of edits) {
    if (!source.includes(was)) throw new Error(`${name} has no “${was}”`)
    source = source.replace(was, () => becomes)
  }
  await db.query(source)
}

/** Runs `body`, in PL/pgSQL, for each row before it is inserted or updated; it may change `new`, or return null to leave it out. */
export async function beforeEach(db: Db, event: 'insert' | 'update', table: string, body: string) {
  const name = `unguarded_${event}_${table}`
  await db.query(
    `create or replace function ${name}() returns trigger language plpgsql security definer as $$ begin ${body} return new; end $$`,
  )
  await db.query(`create or replace trigger ${name} before ${event} on ${table} for each row execute function ${name}()`)
}
