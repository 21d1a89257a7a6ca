import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeFolder } from './leftovers.ts'
import { RELEASED } from './released-version.ts'

const ROOT = resolve(import.meta.dirname, '..')

type Manifest = { version: string; dependencies?: Record<string, string> }

/** Why the released version cannot be started here; null when it can. */
export function whyNoReleased(): string | null {
  try {
    execFileSync('git', ['cat-file', '-e', `${RELEASED.commit}^{commit}`], { cwd: ROOT, stdio: 'ignore' })
    return null
  } catch {
    const short = RELEASED.commit.slice(0, 8)
    return `this copy of the repository lacks version ${RELEASED.version} (commit ${short}); \`git fetch --unshallow\` brings it`
  }
}

/**
 * Unpacks the released version into a folder that is removed with the run. Its packages are this tree's where the version is
 * the one that it was released with; others are installed beside them.
 * @throws Error when its packages can't be had
 */
export function unpackReleased(): string {
  const folder = makeFolder('released')
  const packed = execFileSync('git', ['archive', RELEASED.commit], { cwd: ROOT, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: packed })
  const { version, dependencies = {} } = readManifest(folder)
  if (version !== RELEASED.version) throw new Error(`commit ${RELEASED.commit} is version ${version}, not ${RELEASED.version}`)
  const missing = Object.entries(dependencies).filter(([name, wanted]) => versionHere(name) !== wanted)
  const packages = join(folder, 'node_modules')
  if (missing.length > 0) {
    // Into a folder of their own: npm would complete a folder that has links with everything that package.json asks for.
    const apart = join(folder, 'apart')
    mkdirSync(apart)
    const wanted = missing.map(([name, exact]) => `${name}@${exact}`)
    execFileSync('npm', ['install', '--prefix', apart, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', ...wanted], {
      cwd: apart,
      stdio: 'pipe',
    })
    mkdirSync(packages)
    for (const name of listPackages(join(apart, 'node_modules'))) link(join(apart, 'node_modules', name), join(packages, name))
  }
  mkdirSync(packages, { recursive: true })
  for (const name of listPackages(join(ROOT, 'node_modules')))
    if (!existsSync(join(packages, name))) link(join(ROOT, 'node_modules', name), join(packages, name))
  return folder
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** The version of a package in this tree; null when it has none. */
function versionHere(name: string): string | null {
  const folder = join(ROOT, 'node_modules', name)
  return existsSync(folder) ? readManifest(folder).version : null
}

/** Those of a scope are told apart, since two trees may each have some of them. */
function listPackages(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => (name.startsWith('@') ? readdirSync(join(folder, name)).map((one) => `${name}/${one}`) : [name]))
}

function link(target: string, path: string) {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}
