import pg from 'pg'
import { type Config, ConfigError } from './config.ts'

/** A setting that names a database server, with its value. */
type DatabaseSetting = { name: 'DATABASE_URL' | 'DATABASE_MIGRATION_URL'; url: string; ownsTables: boolean }

const OLDEST = 15
const CONNECT_WITHIN_MS = 10_000
const TO_ESCAPE =
  'Signs such as # / ? : @ and % in a password are written with a percent sign there: # is %23, / is %2F, @ is %40, % is %25.'

/** Those that name a server; none with the embedded database. */
export function databaseSettings({
  databaseUrl,
  databaseMigrationUrl,
}: Pick<Config, 'databaseUrl' | 'databaseMigrationUrl'>): DatabaseSetting[] {
  if (databaseUrl === undefined) return []
  const shop: DatabaseSetting = { name: 'DATABASE_URL', url: databaseUrl, ownsTables: databaseMigrationUrl === undefined }
  return databaseMigrationUrl === undefined
    ? [shop]
    : [{ name: 'DATABASE_MIGRATION_URL', url: databaseMigrationUrl, ownsTables: true }, shop]
}

/**
 * Connects once with each setting before anything else is done with it.
 * @throws ConfigError that names the setting and says what to do, for what a technician can mend; whatever else went wrong as it is.
 */
export async function checkDatabase(settings: readonly DatabaseSetting[]): Promise<void> {
  for (const setting of settings) {
    const client = open(setting)
    client.on('error', () => undefined)
    try {
      await client.connect()
      const problem = await findUnfit(client, setting)
      if (problem !== null) throw new ConfigError([`${setting.name}: ${problem}`])
    } catch (error) {
      const why = explain(error as NodeJS.ErrnoException, setting)
      throw why === null ? error : new ConfigError([`${setting.name}: ${why}`])
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

function open({ name, url }: DatabaseSetting): pg.Client {
  try {
    return new pg.Client({ connectionString: url, application_name: 'dwadi start', connectionTimeoutMillis: CONNECT_WITHIN_MS })
  } catch {
    throw new ConfigError([`${name}: can't be read as an address, postgresql://role:password@host:5432/database. ${TO_ESCAPE}`])
  }
}

async function findUnfit(client: pg.Client, { ownsTables }: DatabaseSetting): Promise<string | null> {
  const { rows } = await client.query<{
    encoding: string
    version: number
    role: string
    database: string
    mayMake: boolean
    owner: string | null
  }>(
    `select current_setting('server_encoding') as encoding, current_setting('server_version_num')::integer / 10000 as version,
       current_user as role, current_database() as database, coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayMake",
       (select r.rolname from pg_class c join pg_roles r on r.oid = c.relowner where c.oid = to_regclass('schema_migrations')
          and not pg_has_role(current_user, r.oid, 'usage')) as owner`,
  )
  const { encoding, version, role, database, mayMake, owner } = rows[0] as (typeof rows)[0]
  if (version < OLDEST) return `that is PostgreSQL ${version}. The shop needs ${OLDEST} or newer.`
  if (encoding !== 'UTF8')
    return (
      `the database ${database} keeps its texts as ${encoding}, so that a name such as Kofí would be lost. Make one in UTF8: ` +
      `createdb --owner=${role} --encoding=UTF8 --template=template0 --locale=C NAME`
    )
  if (!ownsTables) return null
  if (owner !== null)
    return `the tables of the shop belong to the role ${owner}, not to ${role}. Put ${owner} into DATABASE_MIGRATION_URL, or into DATABASE_URL.`
  if (!mayMake)
    return `the role ${role} may not make tables in ${database}. As the server's administrator: alter database "${database}" owner to "${role}"`
  return null
}

/** Null for what is none of these. */
function explain(error: NodeJS.ErrnoException, { url }: DatabaseSetting): string | null {
  if (error instanceof ConfigError) return null
  const { user, database, host, port } = addressOf(url)
  const code = error.code ?? ''
  const at = host.startsWith('/') ? `in the folder ${host}` : `at ${host}:${port}`
  if (code === 'ECONNREFUSED' || code === 'ENOENT')
    return `no database server answers ${at}. Start it (systemctl start postgresql), or correct the address.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `there is no machine called ${host}. Correct the name. ${TO_ESCAPE}`
  if (['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code) || /timeout expired/.test(error.message))
    return `${host}:${port} does not answer. Is a firewall between, or is listen_addresses of the server wrong?`
  if (code === '28P01' || code === '28000')
    return (
      `the server refuses the role ${user}: ${error.message}. Make the role or give it this password (create role ${user} login password '…'; ` +
      `alter role ${user} password '…'), and see that pg_hba.conf lets it in. ${TO_ESCAPE}`
    )
  if (/client password must be a string/.test(error.message)) return `has no password for the role ${user}, and the server asks for one.`
  if (error instanceof URIError) return `the password can't be read. ${TO_ESCAPE}`
  if (code === '3D000')
    return `there is no database ${database} there. Make it: createdb --owner=${user} --encoding=UTF8 --template=template0 ${database}`
  if (code === '57P03') return 'the server is starting or stopping. Start the shop again in a moment.'
  if (code === '53300') return 'the server has no connection left. Raise its max_connections, or lower DATABASE_POOL_SIZE.'
  if (code === '42501') return `the role ${user} lacks a right: ${error.message}.`
  return null
}

function addressOf(url: string) {
  const { user, database, host, port } = new pg.Client({ connectionString: url })
  return { user: user ?? '', database: database ?? '', host, port }
}
