import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'

import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// A technician goes through docs/going-live.md from top to bottom: its commands and files as they stand there, without Docker, as root, on
// copies of /etc, /opt and /var/lib that only these processes see. Played are systemd and what changes the machine (apt, ufw, the clock).
const ROOT = resolve(import.meta.dirname, '../..')
const PLAYED = resolve(import.meta.dirname, 'technician')
const STUBS = ['apt', 'ufw', 'timedatectl', 'rclone']
const FILL_IN = {
  '<your copy of the repository>': ROOT,
  '/var/lib/dwadi/backups/<the file>': '$(ls -t /var/lib/dwadi/backups/*.zst | head -1)',
  '<the file>': '$(ls -t /var/lib/dwadi/backups/*.zst | head -1)',
  '<their number>': '0241234567',
}
const WAY_OUT = Object.fromEntries(Object.entries(process.env).filter(([name]) => /cert|ssl|proxy/i.test(name)))
const page = await readFile(resolve(ROOT, 'docs/going-live.md'), 'utf8')

const section = (heading: string) => page.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}`))!
/** The block in this section that has these words in it, filled in. */
function block(heading: string, words: string): string {
  const blocks = [...section(heading).matchAll(/^```(?:ini)?\n([\s\S]*?)^```$/gm)].map(([, text]) => text!)
  const found = blocks.filter((text) => text.includes(words))
  expect(found, `blocks with "${words}" in "${heading}"`).toHaveLength(1)
  return Object.entries(FILL_IN).reduce((text, [gap, value]) => text.replaceAll(gap, value), found[0]!)
}

/** A block that is a file, which says so in its first line. */
function file(heading: string, path: string): string {
  return `cat > ${path} <<'END_OF_FILE'\n${block(heading, `# ${path}\n`)}END_OF_FILE\n`
}

async function canHaveMachine(): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  return promisify(execFile)('unshare', ['-mpf', '--mount-proc', 'mount', '-t', 'tmpfs', 'none', '/mnt']).then(
    () => true,
    () => false,
  )
}

describe.skipIf(!(await canHaveMachine()))('a technician with docs/going-live.md alone', { tags: ['long'], timeout: 1_800_000 }, () => {
  let folder: string
  let output = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dwadi-technician-'))
    await mkdir(join(folder, 'bin'))
    for (const name of STUBS) await writeFile(join(folder, 'bin', name), '#!/bin/sh\n', { mode: 0o755 })
    for (const name of ['systemctl', 'journalctl']) await symlink(join(PLAYED, name), join(folder, 'bin', name))
    output = await walk(await script())
  }, 1_800_000)
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

  /** What was printed between two marks. */
  const said = (step: string) => output.split(`STEP ${step}\n`)[1]?.split(/^STEP /m)[0] ?? 'it did not get there'

  test('gets to the end', () => {
    expect(output.slice(-4_000)).toMatch(/^STEP the end$/m)
  })

  test('installs, is told that the settings are right, and opens the shop', () => {
    expect(said('settings')).toMatch(/The shop: Ama & Sons, live, https:\/\/shop\.example[\s\S]*The settings are right\./)
    expect(said('start')).toMatch(/is open at[\s\S]*The shop: Ama & Sons, live[\s\S]*as user dwadi[\s\S]*all balanced/)
  })

  test('has a backup that was restored, by hand and by cron', () => {
    expect(said('backup')).toMatch(/\.zst: \d+ tables[\s\S]*all balanced\nNoted in the shop\./)
    expect(said('cron')).toMatch(/\.zst: \d+ tables/)
    expect(said('cron')).toMatch(/^one file of dwadi, 600$/m)
  })

  test('resets the owner, and makes no second one', () => {
    expect(said('locked out')).toMatch(/The shop: Ama & Sons, live[\s\S]*ama is an active admin[\s\S]*phone {5}0241234567/)
    expect(said('wrong user')).toMatch(/Run the command as root/)
  })

  test('upgrades a shop that lies in a plain folder, goes back, and is brought back from a version that does not open', () => {
    expect(said('upgrade')).toMatch(
      /the shop runs \/opt\/dwadi-0\.4\.0\.[\s\S]*The way back: sh \/opt\/dwadi-0\.4\.0\/tools\/switch\.sh \/opt\/dwadi-0\.3\.0/,
    )
    expect(said('rollback')).toMatch(/the shop runs \/opt\/dwadi-0\.3\.0\./)
    expect(said('broken')).toMatch(/\/opt\/dwadi-0\.5\.0 did not open[\s\S]*the shop runs \/opt\/dwadi-0\.3\.0 again[\s\S]*code 1/)
  })

  test('restores on a new machine, and nothing anywhere is root’s that the service needs', () => {
    expect(said('restore')).toMatch(/Its database is in \/var\/lib\/dwadi\/data\.[\s\S]*byte for byte[\s\S]*all balanced/)
    expect(said('owners')).toBe('')
  })

  async function script(): Promise<string> {
    const port = await freePort()
    const { version } = JSON.parse(await readFile(resolve(ROOT, 'package.json'), 'utf8')) as { version: string }
    expect(block('2. Prepare the server', 'adduser')).toContain(`/opt/dwadi-${version} `)
    const settings = {
      ADMIN_USERNAME: 'ama',
      ADMIN_PHONE: '0241234567',
      ADMIN_EMAIL: 'ama@shop.example',
      ADMIN_PASSWORD: 'Blue $kirt; & 7 <goats>',
      SHOP_NAME: 'Ama & Sons',
      SHOP_PHONE: '0241234567',
      SECRETS_KEY: 'k'.repeat(40),
      MAIL_FROM: 'Ama <hello@shop.example>',
    }
    const fill = Object.entries(settings).map(
      ([name, value]) => `sed -i 's|^${name}=.*|${name}=${value.replaceAll('&', '\\&')}|' /etc/dwadi.env`,
    )
    const switchTo = (name: string) => block('9. Upgrade', 'tools/switch.sh').split('\n')[1]!.replaceAll('<version>', name)
    const back = /`(sh \/opt\/dwadi-<version>\/tools\/switch\.sh \/opt\/dwadi-<the version before>)`/.exec(section('9. Upgrade'))![1]!
    const cron = `sed -nE '/^[0-9]/{s/^([^ ]+ ){5}root //p;q}' /etc/cron.d/dwadi | sed 's/\\\\%/%/g' > /run/cron.sh && test -s /run/cron.sh`
    return [
      'set -euo pipefail; exec 2>&1',
      ...['etc', 'opt', 'var/lib'].flatMap((name) => {
        const at = join(folder, name.replace('/', '-'))
        return [
          `mkdir -p ${at}-upper ${at}-work`,
          `mount -t overlay overlay -o lowerdir=/${name},upperdir=${at}-upper,workdir=${at}-work /${name}`,
        ]
      }),
      'mount -t tmpfs none /run; mkdir -p /etc/systemd/system /etc/cron.d; rm -rf /opt/dwadi* /etc/dwadi* /var/lib/dwadi; cd /',
      'step() { echo "STEP $*"; }',
      'step install',
      block('2. Prepare the server', 'apt update'),
      block('2. Prepare the server', 'adduser'),
      file('2. Prepare the server', '/etc/systemd/system/dwadi.service'),
      'step settings',
      ...fill,
      `sed -i 's/^# CARD=/CARD=/; s/^# MAIL=/MAIL=/; s/^# PORT=.*/PORT=${port}/' /etc/dwadi.env`,
      'cd /opt/dwadi && npm run settings:check',
      'step start',
      block('4. Start it', 'systemctl daemon-reload'),
      'step backup',
      block('7. Backups', 'npm run backup'),
      'step cron',
      'rm /var/lib/dwadi/backups/*',
      file('7. Backups', '/etc/cron.d/dwadi'),
      cron,
      '(cd /root && env -i HOME=/root SHELL=/bin/sh "$(grep ^PATH= /etc/cron.d/dwadi)" /bin/sh /run/cron.sh)',
      'find /var/lib/dwadi/backups -type f -printf "one file of %u, %m\\n"',
      'step locked out',
      'cd /opt/dwadi',
      /`(ADMIN_PHONE=<their number> npm run admin:reset)`/.exec(page)![1]!.replace('<their number>', FILL_IN['<their number>']),
      'step wrong user',
      'runuser -u nobody -- node tools/run.js tools/ledger-check.ts && exit 1',
      'step upgrade',
      // As it was installed until 0.2.0; the new one was built elsewhere.
      `cp -a /opt/dwadi-${version} /opt/dwadi-0.4.0 && cp -a /opt/dwadi-0.4.0 /opt/dwadi-0.5.0`,
      `systemctl stop dwadi; rm /opt/dwadi; mv /opt/dwadi-${version} /opt/dwadi; rm /run/dwadi.log; systemctl start dwadi; journalctl -fu dwadi > /dev/null`,
      'for one in 4 5; do sed -i "s/^  \\"version\\": .*/  \\"version\\": \\"0.$one.0\\",/" /opt/dwadi-0.$one.0/package.json; done',
      switchTo('0.4.0'),
      'step rollback',
      back.replace('<version>', '0.4.0').replace('<the version before>', version),
      'step broken',
      'echo "throw new Error()" > /opt/dwadi-0.5.0/server/main.ts',
      `DWADI_OPENS_WITHIN_S=20 ${switchTo('0.5.0')} || echo "code $?"`,
      'step restore',
      'systemctl stop dwadi; mv /var/lib/dwadi/data /var/lib/dwadi/data-before; cd /opt/dwadi',
      /`(npm run restore -- <the file>)`/.exec(section('7. Backups'))![1]!.replace('<the file>', FILL_IN['<the file>']),
      'rm /run/dwadi.log; systemctl start dwadi; journalctl -fu dwadi > /dev/null; npm run ledger:check',
      'step owners',
      'find /var/lib/dwadi -not -user dwadi -not -path "*/.npm*"',
      'step the end',
      'systemctl stop dwadi',
    ]
      .join('\n')
      .replaceAll(
        'runuser -u nobody -- node tools/run.js tools/ledger-check.ts && exit 1',
        'if runuser -u nobody -- node tools/run.js tools/ledger-check.ts; then exit 1; fi',
      )
  }

  function walk(text: string): Promise<string> {
    const child = spawn(
      'unshare',
      ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'private', 'bash', '-c', text],
      {
        env: { ...WAY_OUT, HOME: '/root', PATH: `${join(folder, 'bin')}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin` },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let all = ''
    for (const channel of [child.stdout, child.stderr]) {
      channel.setEncoding('utf8').on('data', (part: string) => {
        all += part
      })
    }
    return new Promise((done) => child.once('close', () => done(all)))
  }
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}
