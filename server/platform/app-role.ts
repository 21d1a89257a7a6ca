import { createHmac } from 'node:crypto'
import pg from 'pg'
import { isDatabaseError } from './db.ts'

/** Append-only tables: the application role may select and insert, nothing else. */
export const APPEND_ONLY = [
  'accounts',
  'journal_entries',
  'postings',
  'ledger_seals',
  'admin_actions',
  'report_messages',
  'customer_notes',
  'package_costs',
  'day_closes',
  'price_publications',
  'receiver_corrections',
  'delivery_restarts',
  'delivery_events',
  'payout_numbers',
  'payout_number_removals',
  'message_formats',
  'restore_rehearsals',
] as const

/** An arbitrary advisory lock number: processes that start together grant rights one after the other. */
const RIGHTS_LOCK = 0x64776167
const LONGEST_NAME = 63
const REFUSED = ['28000', '28P01']
const NOT_ALLOWED = '42501'

export type Access = {
  /** Connection string for the application's pools. */
  url: string
  /** The role in that connection string. */
  role: string
  /** A problem to log once at the start, or null. The shop runs all the same. */
  warning: string | null
}

/**
 * Gives the application its own role, without update, delete or truncate on append-only tables and without schema changes.
 * Call it after the migrations, at every start; it is safe to repeat.
 * `ownerUrl` owns the schema. With `appUrl`, that existing role is granted its rights. Otherwise a role named after the
 * database is made, with a password derived from the owner's, so that all processes agree on it.
 */
export async function letAppIn({
  ownerUrl,
  appUrl,
  role,
}: {
  ownerUrl: string
  appUrl?: string | undefined
  role?: string
}): Promise<Access> {
  return withClient(ownerUrl, async (owner) => {
    const found = appUrl === undefined ? await ensureRole(owner, ownerUrl, role) : { role: await askRole(appUrl), url: appUrl }
    if ('problem' in found) {
      const warning = `The shop works as the owner of its tables, who could rewrite them: ${found.problem}. See DATABASE_MIGRATION_URL in docs/going-live.md.`
      return { url: ownerUrl, role: await askRole(ownerUrl), warning }
    }
    await giveRights(owner, found.role)
    const excess = await findExcess(owner, found.role)
    const warning = excess.length === 0 ? null : `The shop's database role ${found.role} may do more than it should: ${excess.join(', ')}.`
    return { ...found, warning }
  })
}

type Found = { role: string; url: string } | { problem: string }

async function ensureRole(owner: pg.Client, ownerUrl: string, named?: string): Promise<Found> {
  const { password, database } = new pg.Client({ connectionString: ownerUrl })
  if (typeof password !== 'string' || password === '')
    return { problem: 'DATABASE_URL has no password, from which that of a second role would follow' }
  if (/[?&](user|password)=/.test(ownerUrl)) return { problem: 'DATABASE_URL names its user behind the question mark' }
  const role = named ?? `${database}_app`.slice(-LONGEST_NAME)
  const derived = createHmac('sha256', password).update(`the shop's role ${role}`).digest('base64url')
  const url = urlAs(ownerUrl, role, derived)
  if (await canConnect(url)) return { role, url }
  try {
    await makeRole(owner, role, derived)
  } catch (error) {
    if (!isDatabaseError(error, NOT_ALLOWED)) throw error
    return { problem: 'the user of DATABASE_URL may not make a second role' }
  }
  if (await canConnect(url)) return { role, url }
  return { problem: `the role ${role} was made, but the server does not let it connect` }
}

async function makeRole(owner: pg.Client, role: string, password: string) {
  await locked(owner, async () => {
    const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [role])
    const verb = rowCount === 0 ? 'create' : 'alter'
    await owner.query(`${verb} role ${pg.escapeIdentifier(role)} with login password ${pg.escapeLiteral(password)}`)
  })
}

/** False when the server rejects the role or its password; other errors are thrown. */
async function canConnect(url: string): Promise<boolean> {
  try {
    await askRole(url)
    return true
  } catch (error) {
    if (isDatabaseError(error, ...REFUSED)) return false
    throw error
  }
}

function askRole(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ role: string }>('select current_user::text as role')
    return (rows[0] as { role: string }).role
  })
}

/** The privileges the role should have on each of our relations: on a table that is kept in ranges, and none on a range by itself. */
const WANTED = `select c.oid, c.relkind, format('%I.%I', n.nspname, c.relname) as name, case
      when c.relkind = 'S' then array['usage', 'select']
      when n.nspname = 'public' and c.relispartition then array[]::text[]
      when c.relname in ('schema_migrations', 'schema_functions') or c.relkind = 'v' then array['select']
      when n.nspname = 'public' and c.relname = any ($2) then array['select', 'insert']
      else array['select', 'insert', 'update', 'delete']
    end as rights
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('public', 'jobs') and c.relkind in ('r', 'p', 'v', 'S') and pg_has_role(c.relowner, 'usage')`

/** What a role may do and should not: to a table that may only grow, change it; to a range by itself, past the triggers of its table, anything. */
const EXCESS = `select name, excess from wanted, lateral (
      select case when rights = '{}' then 'select, insert, update, delete, truncate' else 'update, delete, truncate' end as excess
    ) excess
  where relkind <> 'S' and not 'update' = any (rights) and has_table_privilege($1, oid, excess)`

async function giveRights(owner: pg.Client, role: string) {
  const statements = await listGrants(owner, role)
  if (statements.length === 0) return
  await locked(owner, async () => {
    await owner.query(statements.join(';'))
  })
}

/**
 * Gives every role that works for the shop its rights to what a migration has made, within that migration's transaction: the
 * functions that processes of the version before call from then on may use new tables.
 */
export async function extendRights(owner: pg.Client) {
  const { rows } = await owner.query<{ role: string }>(
    `select pg_get_userbyid(g.grantee)::text as role from pg_class c cross join aclexplode(c.relacl) g
     where c.oid = to_regclass('public.wallets') and g.privilege_type = 'UPDATE' and g.grantee not in (0, c.relowner)`,
  )
  if (rows.length > 0) await owner.query('select pg_advisory_xact_lock($1)', [RIGHTS_LOCK])
  for (const { role } of rows) await owner.query((await listGrants(owner, role)).join(';'))
}

async function listGrants(owner: pg.Client, role: string): Promise<string[]> {
  const name = pg.escapeIdentifier(role)
  const { rows } = await owner.query<{ statement: string }>(
    `with wanted as (${WANTED})
     select format('grant %s on %s %s to ${name.replaceAll('%', '%%')}', array_to_string(rights, ', '), case relkind when 'S' then 'sequence' else 'table' end, name) as statement
     from wanted where exists (select from unnest(rights) need
       where not case relkind when 'S' then has_sequence_privilege($1, oid, need) else has_table_privilege($1, oid, need) end)
     union all
     select format('revoke %s on table %s from ${name.replaceAll('%', '%%')}', excess, name) from (${EXCESS}) excess
     union all
     select format('grant usage on schema %I to ${name.replaceAll('%', '%%')}', nspname)
     from pg_namespace where nspname in ('public', 'jobs') and not has_schema_privilege($1, oid, 'usage')`,
    [role, APPEND_ONLY],
  )
  return rows.map(({ statement }) => statement)
}

/** Privileges that the role has but should not have, also those inherited or granted to PUBLIC. */
async function findExcess(owner: pg.Client, role: string): Promise<string[]> {
  const { rows } = await owner.query<{ what: string }>(
    `with wanted as (${WANTED})
     select 'change ' || name as what from (${EXCESS}) excess
     union all select 'make tables in ' || nspname from pg_namespace where nspname in ('public', 'jobs') and has_schema_privilege($1, oid, 'create')
     order by what`,
    [role, APPEND_ONLY],
  )
  return rows.map(({ what }) => what)
}

async function locked(client: pg.Client, work: () => Promise<void>) {
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [RIGHTS_LOCK])
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'dwadi rights', connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The same database address for another user. */
function urlAs(url: string, user: string, password: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/)(?:[^@/?#]*@)?/, `$1${encodeURIComponent(user)}:${password}@`)
}
