import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { findLockProblems, findUnsupported, type LockFile, type Manifest, OTHER_SYSTEMS } from './lock-file.ts'

const ROOT = resolve(import.meta.dirname, '..')
const read = <T>(file: string): T => JSON.parse(readFileSync(resolve(ROOT, file), 'utf8'))
const lock = read<LockFile>('package-lock.json')
const manifest = read<Manifest>('package.json')

test('every package of the lock file has its hash and one version, comes by https, and runs no script that nobody allowed', () => {
  expect(Object.keys(lock.packages).length).toBeGreaterThan(200)
  expect(findLockProblems(lock, manifest)).toEqual([])
})

test('every package runs on each Node that package.json brings', () => {
  const brought = Object.entries(manifest.optionalDependencies ?? {}).filter(([name]) => name.startsWith('node-'))
  expect(brought.length).toBeGreaterThan(1)
  expect(brought.flatMap(([, version]) => findUnsupported(lock, version))).toEqual([])
  expect(findUnsupported(lock, '20.19.0').join()).toContain('node_modules/vitest asks for Node')
})

test('the lock file is that of package.json', () => {
  const { dependencies, devDependencies, optionalDependencies } = lock.packages[''] as unknown as Manifest
  expect({ dependencies, devDependencies, optionalDependencies }).toEqual({
    dependencies: manifest.dependencies,
    devDependencies: manifest.devDependencies,
    optionalDependencies: manifest.optionalDependencies,
  })
})

test('no package that a Linux server of x64 or arm64 runs is without its hash', () => {
  const names = [
    '@tailwindcss/oxide-linux-x64-gnu',
    '@tailwindcss/oxide-linux-arm64-gnu',
    '@swc/core-linux-x64-gnu',
    '@biomejs/cli-linux-x64',
  ]
  expect(names.filter((name) => OTHER_SYSTEMS.test(name))).toEqual([])
})

test.each<[string, object, string]>([
  ['no hash', { integrity: undefined }, 'zod has no hash'],
  ['an old hash', { integrity: 'sha1-AAAA' }, 'zod has no hash'],
  ['a source without encryption', { resolved: 'http://elsewhere.example/zod.tgz' }, 'zod does not come by https'],
  ['a source of somebody’s own', { resolved: 'git+ssh://git@elsewhere.example/zod.git' }, 'zod does not come by https'],
  ['a folder in its place', { link: true, version: undefined }, 'zod has no version of its own'],
  ['an install script', { hasInstallScript: true }, 'zod has an install script that nobody has decided on'],
])('%s is found', (_what, change, problem) => {
  const zod = 'node_modules/zod'
  const changed = { packages: { ...lock.packages, [zod]: { ...lock.packages[zod], ...change } } } as LockFile
  expect(findLockProblems(changed, manifest)).toEqual([problem])
})

test('a range instead of a version is found', () => {
  const loose = { ...manifest, dependencies: { ...manifest.dependencies, zod: '^4.6.7' } }
  expect(findLockProblems(lock, loose)).toEqual(['zod is asked for as ^4.6.7, not as one version'])
})
