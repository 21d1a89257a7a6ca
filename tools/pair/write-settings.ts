/** A machine: `a` and `b` have a database and a process of the shop, `c` is the witness, which has the third vote and the front door. */
export type Machine = {
  name: 'a' | 'b' | 'c'
  host: string
  /** Everything that it keeps. */
  folder: string
  ports: { etcd: number; etcdPeers: number; patroni: number; postgres: number; database: number; shop: number }
}

export type Passwords = { superuser: string; replication: string; rewind: string; api: string; shop: string }

type Pair = {
  machines: readonly Machine[]
  passwords: Passwords
  postgresFolder: string
  /** By which of its two interfaces Patroni talks to etcd. */
  etcdInterface: EtcdInterface
}

export type EtcdInterface = 'etcd' | 'etcd3'

/**
 * Patroni before 3.0.3 overwrites the lock when its own has run out (its pull request 2689): by the newer interface, a primary that hung and woke took the
 * lock back from its successor, and the sales since were lost. By the older one it compares first. Debian 12 has 3.0.2.
 * @throws Error when `version` is none.
 */
export function chooseEtcdInterface(version: string): EtcdInterface {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  if (major === undefined || minor === undefined) throw new Error(`This is no version of Patroni: ${version}`)
  return Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 1) ? 'etcd3' : 'etcd'
}

/**
 * How long the primary may be silent before the standby takes over. Newer versions of Patroni make 20 of it. It must be at least
 * LOOK_EVERY_S + 2 * GIVE_UP_AFTER_S, so that a primary that cannot renew its lock has stopped before another begins.
 */
const LOCK_S = 15
const LOOK_EVERY_S = 3
const GIVE_UP_AFTER_S = 5

const databases = (machines: readonly Machine[]) => machines.filter(({ name }) => name !== 'c')

/** The arguments of etcd, which decides by two of three votes who is the primary. */
export function etcdArguments(
  { machines, etcdInterface }: Pick<Pair, 'machines' | 'etcdInterface'>,
  { name, host, folder, ports }: Machine,
): string[] {
  const members = machines.map((one) => `${one.name}=http://${one.host}:${one.ports.etcdPeers}`)
  return Object.entries({
    name,
    'data-dir': `${folder}/etcd`,
    'listen-peer-urls': `http://${host}:${ports.etcdPeers}`,
    'initial-advertise-peer-urls': `http://${host}:${ports.etcdPeers}`,
    'listen-client-urls': `http://${host}:${ports.etcd}`,
    'advertise-client-urls': `http://${host}:${ports.etcd}`,
    'initial-cluster': members.join(','),
    'initial-cluster-state': 'new',
    'initial-cluster-token': 'dwadi',
    'auto-compaction-retention': '1',
    ...(etcdInterface === 'etcd' && { 'enable-v2': 'true' }),
    logger: 'zap',
    'log-level': 'warn',
  }).map(([option, value]) => `--${option}=${value}`)
}

/**
 * The settings of Patroni, which starts PostgreSQL, copies the standby, and has it take over. With `synchronous_mode` it promotes only a
 * standby that has every confirmed transaction; while there is none the primary sells alone, and then nobody else is promoted.
 */
export function patroniSettings(
  { machines, passwords, postgresFolder, etcdInterface }: Pair,
  { name, host, folder, ports }: Machine,
): string {
  const hosts = [...new Set(['127.0.0.1', ...databases(machines).map((one) => one.host)])]
  const rules = hosts.flatMap((from) => [`host all all ${from}/32 scram-sha-256`, `host replication replicator ${from}/32 scram-sha-256`])
  return `scope: dwadi
name: ${name}

restapi:
  listen: ${host}:${ports.patroni}
  connect_address: ${host}:${ports.patroni}
  authentication: { username: patroni, password: "${passwords.api}" }

${etcdInterface}:
  hosts: [${machines.map((one) => `"${one.host}:${one.ports.etcd}"`).join(', ')}]

bootstrap:
  # Read once, when the pair is first made; afterwards: patronictl edit-config.
  dcs:
    ttl: ${LOCK_S}
    loop_wait: ${LOOK_EVERY_S}
    retry_timeout: ${GIVE_UP_AFTER_S}
    maximum_lag_on_failover: 1048576
    synchronous_mode: true
    # A database that ended while its machine lives gets this long to come back before the other takes over.
    primary_start_timeout: 10
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters:
        max_connections: 200
        wal_level: replica
        wal_log_hints: "on"
        max_wal_senders: 8
        max_replication_slots: 8
        wal_keep_size: 512MB
        fsync: "on"
        full_page_writes: "on"
        synchronous_commit: "on"
        # A machine that vanished without a word is noticed after this, and no sale waits for it longer.
        wal_sender_timeout: 5s
        wal_receiver_timeout: 5s
        tcp_user_timeout: 5s
        tcp_keepalives_idle: 5
        tcp_keepalives_interval: 2
        tcp_keepalives_count: 2
        max_parallel_workers_per_gather: 0
  initdb:
    - encoding: UTF8
    - locale: C.UTF-8
    - data-checksums

postgresql:
  listen: ${[...new Set([host, '127.0.0.1'])].join(',')}:${ports.postgres}
  connect_address: ${host}:${ports.postgres}
  data_dir: ${folder}/postgres
  bin_dir: ${postgresFolder}
  pgpass: ${folder}/pgpass
  # A new standby is copied now, not at the end of the next checkpoint.
  basebackup:
    - checkpoint: fast
  # What the dead primary had and the new one has not was never confirmed to anybody: it goes.
  remove_data_directory_on_rewind_failure: true
  remove_data_directory_on_diverged_timelines: true
  authentication:
    superuser: { username: postgres, password: "${passwords.superuser}" }
    replication: { username: replicator, password: "${passwords.replication}" }
    rewind: { username: rewinder, password: "${passwords.rewind}" }
  parameters:
    unix_socket_directories: ${folder}
  pg_hba:
    - local all all scram-sha-256
${rules.map((rule) => `    - ${rule}`).join('\n')}
`
}

/**
 * The settings of the machine's HAProxy: at 127.0.0.1 the database that Patroni says is the primary, and on the witness the front door.
 * A connection to what is no longer the primary is cut at once, so that no process goes on with it.
 */
export function haproxySettings({ machines }: Pick<Pair, 'machines'>, { name, ports }: Machine, front?: string): string {
  const servers = (check: string, portOf: (machine: Machine) => string) =>
    databases(machines)
      .map((one) => `  server ${one.name} ${one.host}:${portOf(one)} ${check}`)
      .join('\n')
  const database = `global
  maxconn 4000

defaults
  timeout connect 2s
  timeout check 1s
  # Listening connections are silent for hours; the dead are found by keep-alive and by the check.
  timeout client 24h
  timeout server 24h

listen database
  mode tcp
  bind 127.0.0.1:${ports.database}
  option clitcpka
  option srvtcpka
  # OPTIONS has no body, which the check would not wait for.
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fastinter 500ms downinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers('', (one) => `${one.ports.postgres} check port ${one.ports.patroni}`)}
`
  if (name !== 'c' || front === undefined) return database
  return `${database}
frontend shop
  mode http
  bind ${front}
  timeout client 60s
  timeout http-request 10s
  option forwardfor
  use_backend realtime if { path_beg /socket.io } or { path_beg /api/socket.io }
  # While neither can sell, the shop says so in its own words.
  use_backend awake if { nbsrv(ready) eq 0 }
  default_backend ready

backend ready
  mode http
  balance roundrobin
  timeout server 60s
  option httpchk GET /readyz
  http-check expect status 200
  # Only what was never sent is sent to the other machine.
  option redispatch 1
  retries 2
  retry-on conn-failure
  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers('check', (one) => `${one.ports.shop}`)}

backend awake
  mode http
  balance roundrobin
  timeout server 60s
  option httpchk GET /healthz
  http-check expect status 200
  option redispatch 1
  retries 2
  retry-on conn-failure
  default-server inter 1s fastinter 500ms fall 2 rise 1
${servers('check', (one) => `${one.ports.shop}`)}

# A phone whose network allows no websocket asks again and again, and must meet the same process each time.
backend realtime
  mode http
  balance source
  hash-type consistent
  timeout server 60s
  timeout tunnel 1h
  option httpchk GET /readyz
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers('check', (one) => `${one.ports.shop}`)}
`
}
