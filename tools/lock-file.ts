import { satisfies } from 'semver'

export type Manifest = { dependencies?: Deps; devDependencies?: Deps; optionalDependencies?: Deps; allowScripts?: Record<string, boolean> }
export type LockFile = { packages: Record<string, Locked> }
type Deps = Record<string, string>
type Locked = {
  version?: string
  resolved?: string
  integrity?: string
  optional?: boolean
  link?: boolean
  hasInstallScript?: boolean
  engines?: { node?: string }
}

/** Builds of native packages for systems that could not be fetched where the lock file was made, so that their hashes are not known. */
export const OTHER_SYSTEMS =
  /^@(?:biomejs\/cli-(?:android|darwin|win32|linux-(?:x64|arm64)-musl)|swc\/core-(?:darwin|win32|linux-(?:arm-|ppc64|s390x))|tailwindcss\/oxide-(?:android|darwin|freebsd|wasm32|win32|linux-arm-))/

/** What a lock file would let in unseen: a package without its hash, from elsewhere than https, or with a script that nobody has allowed. */
export function findLockProblems(lock: LockFile, manifest: Manifest): string[] {
  return [
    ...unpinned(manifest),
    ...Object.entries(lock.packages).flatMap(([place, locked]) => (place === '' ? [] : problemsOf(place, locked, manifest))),
  ]
}

function problemsOf(
  place: string,
  { version, resolved, integrity, optional, link, hasInstallScript }: Locked,
  manifest: Manifest,
): string[] {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const isHashed = /^sha512-/.test(integrity ?? '') || (optional === true && OTHER_SYSTEMS.test(name))
  return [
    ...(isHashed ? [] : [`${name} has no hash`]),
    ...(resolved === undefined || resolved.startsWith('https://') ? [] : [`${name} does not come by https`]),
    ...(link !== true && version !== undefined && EXACT.test(version) ? [] : [`${name} has no version of its own`]),
    ...(hasInstallScript && manifest.allowScripts?.[name] === undefined
      ? [`${name} has an install script that nobody has decided on`]
      : []),
  ]
}

/** The packages that do not run on `node`. Builds for one system alone are left out: npm skips those that do not fit. */
export function findUnsupported(lock: LockFile, node: string): string[] {
  return Object.entries(lock.packages)
    .filter(([place, { engines, optional }]) => place !== '' && !optional && engines?.node !== undefined && !satisfies(node, engines.node))
    .map(([place, { engines }]) => `${place} asks for Node ${engines?.node}`)
}

const EXACT = /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/

function unpinned({ dependencies, devDependencies, optionalDependencies }: Manifest): string[] {
  return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter(([, version]) => !EXACT.test(version))
    .map(([name, version]) => `${name} is asked for as ${version}, not as one version`)
}
