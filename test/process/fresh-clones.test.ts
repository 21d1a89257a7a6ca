import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../until.ts'

// The first two commands of README.md, as somebody types them who has one of these pairs in the PATH and no other Node: in a folder with
// a space in its name, without root, and with a home that cannot be written. Packages come from the registry, minutes a pair.
const PAIRS = [
  { node: '20.20.2', npm: '10.8.2' },
  { node: '22.23.3', npm: '10.9.4' },
  { node: '24.21.0', npm: '11.19.1' },
]
const ROOT = resolve(import.meta.dirname, '../..')
const NOBODY = 65_534
/** How this machine reaches the registry: its certificates and its proxy. */
const WAY_OUT = Object.fromEntries(Object.entries(process.env).filter(([name]) => /cert|ssl|proxy/i.test(name)))
const run = promisify(execFile)

describe.skipIf(process.platform !== 'linux')('a fresh clone', { tags: ['long'], timeout: 1_800_000 }, () => {
  describe.each(PAIRS)('with Node $node and npm $npm', ({ node, npm }) => {
    let folder: string
    let clone: string
    let env: NodeJS.ProcessEnv
    const own = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'dwadi-clone-'))
      clone = join(folder, 'a shop')
      const programs = join(folder, 'programs')
      await mkdir(programs)
      await run('npm', [
        'install',
        '--prefix',
        folder,
        '--no-save',
        '--no-audit',
        '--no-fund',
        `node-linux-${process.arch}@${node}`,
        `npm@${npm}`,
      ])
      await symlink(join(folder, `node_modules/node-linux-${process.arch}/bin/node`), join(programs, 'node'))
      for (const name of ['npm', 'npx']) await symlink(join(folder, `node_modules/npm/bin/${name}-cli.js`), join(programs, name))
      await run('git', ['clone', '--quiet', ROOT, clone])
      const cache = join(folder, 'cache')
      const home = join(folder, 'home')
      for (const path of [cache, home, join(folder, 'system')]) await mkdir(path)
      if (own.uid !== undefined) {
        await run('chown', ['-R', `${own.uid}:${own.gid}`, clone])
        await chown(cache, own.uid, own.gid)
        await chmod(folder, 0o755)
      }
      await chmod(home, 0o555)
      // npm itself needs a folder that it can write.
      env = {
        ...WAY_OUT,
        PATH: [programs, await linkPrograms(join(folder, 'system'))].join(delimiter),
        HOME: home,
        npm_config_cache: cache,
      }
    }, 600_000)
    afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

    test('installs, opens, and runs its tests', async () => {
      const type = (command: string) => run('/bin/sh', ['-c', command], { cwd: clone, env, ...own, maxBuffer: 64 * 1024 ** 2 })
      expect((await type('node --version && npm --version')).stdout).toBe(`v${node}\n${npm}\n`)
      await type('npm ci')
      await opens(clone, env, own)
      expect((await type('npx vitest run shared/money.test.ts')).stdout).toMatch(/\d+ passed/)
      expect((await type('npx playwright test test/e2e/home.spec.ts -g "says what is sold"')).stdout).toMatch(/1 passed/)
      expect((await type('npm run -s check')).stdout).not.toContain('FAILED')
    })
  })
})

async function opens(cwd: string, env: NodeJS.ProcessEnv, own: { uid?: number; gid?: number }) {
  const shop = spawn('npm', ['start'], { cwd, env: { ...env, PORT: '0' }, ...own, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  let output = ''
  shop.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const ended = once(shop, 'close')
  try {
    const [, address] = await until(() => /is open at (\S+)/.exec(output) ?? (shop.exitCode === null ? null : ['', output]), 300_000)
    const page = await fetch(`${address}/store`)
    expect({ status: page.status, html: (await page.text()).slice(0, 15) }).toEqual({ status: 200, html: '<!doctype html>' })
  } finally {
    // As Ctrl-C does, to all of them.
    process.kill(-shop.pid!, 'SIGINT')
    await ended
  }
}

/** What a machine has in its PATH, but for any Node. */
async function linkPrograms(folder: string): Promise<string> {
  for (const name of await readdir('/usr/bin')) {
    if (!/^(?:node|nodejs|npm|npx|corepack)$/.test(name)) await symlink(join('/usr/bin', name), join(folder, name))
  }
  return folder
}
