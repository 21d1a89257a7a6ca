import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { findPairPrograms } from './find-programs.ts'
import { chooseEtcdInterface, etcdArguments, haproxySettings, type Machine, patroniSettings } from './write-settings.ts'

const ports = { etcd: 2379, etcdPeers: 2380, patroni: 8008, postgres: 5432, database: 5000, shop: 3000 }
const machines = (['a', 'b', 'c'] as const).map(
  (name, index): Machine => ({ name, host: `10.0.0.${index + 1}`, folder: `/var/lib/pair/${name}`, ports }),
)
const [a, , c] = machines as [Machine, Machine, Machine]
const passwords = { superuser: 's', replication: 'r', rewind: 'w', api: 'p', shop: 'd' }

describe('the settings of a pair', () => {
  test('a primary that cannot renew its lock has stopped before another begins', () => {
    const text = patroniSettings({ machines, passwords, postgresFolder: '/pg', etcdInterface: 'etcd3' }, a)
    const seconds = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(text)?.[1])
    expect(seconds('ttl')).toBeGreaterThanOrEqual(seconds('loop_wait') + 2 * seconds('retry_timeout'))
  })

  test('every sale waits for the standby, and no setting gives durability away', () => {
    const text = patroniSettings({ machines, passwords, postgresFolder: '/pg', etcdInterface: 'etcd3' }, a)
    expect(text).toContain('synchronous_mode: true')
    for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) expect(text).toContain(`${name}: "on"`)
  })

  test('only the two machines with a database may reach it, by password', () => {
    const rules = patroniSettings({ machines, passwords, postgresFolder: '/pg', etcdInterface: 'etcd3' }, a).match(/ - host .*/g) ?? []
    expect(rules).toHaveLength(6)
    expect(rules.filter((rule) => !/ (127\.0\.0\.1|10\.0\.0\.[12])\/32 scram-sha-256$/.test(rule))).toEqual([])
  })

  test('the witness has a vote and the front door, and no database', () => {
    expect(etcdArguments({ machines, etcdInterface: 'etcd3' }, c)).toContain(
      '--initial-cluster=a=http://10.0.0.1:2380,b=http://10.0.0.2:2380,c=http://10.0.0.3:2380',
    )
    expect(haproxySettings({ machines }, c, ':80')).toContain('frontend shop')
    expect(haproxySettings({ machines }, a, ':80')).not.toContain('frontend shop')
    expect(haproxySettings({ machines }, c, ':80')).not.toContain('10.0.0.3:5432')
  })

  test.each([
    ['patroni 3.0.2', 'etcd'],
    ['patroni 2.1.4', 'etcd'],
    ['patroni 3.1.0', 'etcd3'],
    ['patroni 4.0.4', 'etcd3'],
  ])('%s talks to etcd as %s', (version, expected) => {
    expect(chooseEtcdInterface(version)).toBe(expected)
    const args = etcdArguments({ machines, etcdInterface: chooseEtcdInterface(version) }, a)
    expect(args.includes('--enable-v2=true')).toBe(expected === 'etcd')
  })

  test('what is no version is refused', () => {
    expect(() => chooseEtcdInterface('not found')).toThrow('This is no version of Patroni: not found')
  })
})

describe('the programs of a pair', () => {
  let folder = ''
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const install = (path: string) => {
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, '', { mode: 0o755 })
  }

  test('the newest PostgreSQL that is complete is taken', () => {
    folder = mkdtempSync(join(tmpdir(), 'dwadi-programs-'))
    for (const name of ['etcd', 'patroni', 'haproxy']) install(join(folder, 'bin', name))
    for (const version of ['14', '15', '17'])
      for (const name of ['postgres', 'initdb', 'pg_ctl', 'pg_controldata', 'pg_basebackup', 'pg_rewind', 'pg_isready'])
        install(join(folder, 'postgres', version, 'bin', name))
    install(join(folder, 'postgres', '18', 'bin', 'postgres'))
    const found = findPairPrograms({ path: join(folder, 'bin'), postgres: join(folder, 'postgres') })
    expect(found.postgresFolder).toBe(join(folder, 'postgres', '17', 'bin'))
    expect(found.patroni).toBe(join(folder, 'bin', 'patroni'))
  })

  test('what is missing is named, with the command that installs it', () => {
    folder = mkdtempSync(join(tmpdir(), 'dwadi-programs-'))
    expect(() => findPairPrograms({ path: '', postgres: folder, places: [folder] })).toThrow(
      'A pair of machines needs postgresql (15 or newer), etcd-server, patroni, haproxy, which this one does not have: apt-get install postgresql etcd-server patroni haproxy',
    )
  })
})
