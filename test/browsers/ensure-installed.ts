import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Checks that Debian's packages are there, each known by a file of its own. With `--install` and as root it installs what is missing, with
 * nothing that is only recommended: further fonts would change how wide text is in other tests.
 * @throws Error that says what to install, otherwise.
 */
export async function ensureInstalled(packages: Record<string, string>) {
  const missing = Object.keys(packages).filter((name) => !existsSync(packages[name] as string))
  if (missing.length === 0) return
  const install = ['install', '-y', '--no-install-recommends', ...missing]
  if (!process.argv.includes('--install')) {
    throw new Error(`not installed: ${missing.join(', ')}. As root, add --install, or run: apt-get ${install.join(' ')}`)
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', install, { env }).catch(async () => {
    // A new machine has no list of packages yet.
    await run('apt-get', ['update'], { env })
    await run('apt-get', install, { env })
  })
}
