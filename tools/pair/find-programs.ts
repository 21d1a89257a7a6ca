import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export type Programs = { etcd: string; patroni: string; haproxy: string; postgresFolder: string }

const POSTGRES = '/usr/lib/postgresql'
/** An unprivileged account of Debian has no /usr/sbin in its PATH. */
const PLACES = ['/usr/sbin', '/usr/bin']
/** What a database server needs, and what a standby is copied and rewound with. */
const POSTGRES_PROGRAMS = ['postgres', 'initdb', 'pg_ctl', 'pg_controldata', 'pg_basebackup', 'pg_rewind', 'pg_isready']
const LEAST_VERSION = 15
const PACKAGES: Record<Exclude<keyof Programs, 'postgresFolder'>, string> = { etcd: 'etcd-server', patroni: 'patroni', haproxy: 'haproxy' }

/**
 * The programs of a pair of machines, as Debian installs them; of several versions of PostgreSQL the newest.
 * @throws Error that names the packages which are missing.
 */
export function findPairPrograms({ path = process.env.PATH ?? '', postgres = POSTGRES, places = PLACES } = {}): Programs {
  const folders = [...path.split(delimiter).filter(Boolean), ...places]
  const found = (name: string) => folders.map((folder) => join(folder, name)).find(isProgram)
  const programs = { etcd: found('etcd'), patroni: found('patroni'), haproxy: found('haproxy'), postgresFolder: findPostgres(postgres) }
  const missing = [
    ...(programs.postgresFolder === undefined ? [`postgresql (${LEAST_VERSION} or newer)`] : []),
    ...Object.entries(PACKAGES).flatMap(([program, name]) => (programs[program as keyof Programs] === undefined ? [name] : [])),
  ]
  if (missing.length > 0) {
    const names = missing.map((name) => name.split(' ')[0]).join(' ')
    throw new Error(`A pair of machines needs ${missing.join(', ')}, which this one does not have: apt-get install ${names}`)
  }
  return programs as Programs
}

function findPostgres(parent: string): string | undefined {
  return list(parent)
    .filter((version) => Number(version) >= LEAST_VERSION)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(parent, version, 'bin'))
    .find((folder) => POSTGRES_PROGRAMS.every((program) => isProgram(join(folder, program))))
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
