import { existsSync, globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { routes } from '../shared/api.ts'

const ROOT = resolve(import.meta.dirname, '..')
const page = readFileSync(resolve(ROOT, 'docs/spec-coverage.md'), 'utf8')

test('every test that docs/spec-coverage.md names is there', () => {
  const named = listNamedTests(page)
  expect(named.length).toBeGreaterThan(150)
  expect(named.filter(({ file, title }) => !hasTest(file, title))).toEqual([])
})

test('every test and file that docs/hardening.md names is there', () => {
  const hardening = readFileSync(resolve(ROOT, 'docs/hardening.md'), 'utf8')
  const named = listNamedTests(hardening)
  expect(named.length).toBeGreaterThan(60)
  expect(named.filter(({ file, title }) => !hasTest(file, title))).toEqual([])
  expect(listFiles(hardening).filter((file) => !existsSync(resolve(ROOT, file)))).toEqual([])
})

test('a title that no test has would be noticed', () => {
  expect(hasTest('test/spec-coverage.test.ts', 'every test that docs/spec-coverage.md names is there')).toBe(true)
  expect(hasTest('test/spec-coverage.test.ts', 'every test that docs/spec-coverage.md')).toBe(false)
  expect(hasTest('test/no-such-file.test.ts', 'every test that docs/spec-coverage.md names is there')).toBe(false)
})

test('every row of docs/spec-coverage.md has a test, or says what stands instead of one', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| who |'))
  expect(rows.length).toBeGreaterThan(120)
  expect(rows.filter((row) => listNamedTests(row).length === 0 && !/Built, no test: `|Missing: /.test(row))).toEqual([])
})

test('every file that docs/spec-coverage.md names is there', () => {
  expect(listFiles(page).filter((file) => !existsSync(resolve(ROOT, file)))).toEqual([])
})

/** Written by the card provider, put together from parts, or several messages in one row. */
const NOT_LITERAL = [
  'Showing n of m entries',
  'Product created / updated / status updated / deleted successfully',
  'Required parameter missing',
  'Invalid parameter type',
  'No wallet payment method is available on this device',
  'Transaction parameters should be a non-empty object',
  'Container to mount elements was not provided',
]

test('every message that docs/spec-coverage.md quotes stands in the app', () => {
  const sources = globSync('{web,shared,server}/**/*.{ts,tsx}', { cwd: ROOT, exclude: (name) => String(name).includes('.test.') })
  const app = plain(sources.map((file) => readFileSync(resolve(ROOT, file), 'utf8')).join('\n'))
  // A word in braces is filled in, an amount with its sign, and then only the parts around it are the app's.
  const quoted = [...page.matchAll(/‘([^’]{12,})’(?!\w)/g)].map(([, message]) => message!)
  expect(quoted.length).toBeGreaterThan(25)
  const missing = quoted.filter((message) =>
    plain(message)
      .split(/¢?\{\w+\}/)
      .some((part) => part.trim() !== '' && !app.includes(part.trim())),
  )
  expect(missing.sort()).toEqual(NOT_LITERAL.toSorted())
})

test('every address that docs/spec-coverage.md names is one of the app', () => {
  const router = readFileSync(resolve(ROOT, 'web/app/router.tsx'), 'utf8')
  const named = [
    ...page.matchAll(/(?<=^\| \w[^|]*\| [^`]*?)(?<![\w}./])(\/(?:store|cart|login|register|reset-password|user|admin|info)\b)/gm),
  ].map(([, path]) => path!)
  const addresses = new Set(named)
  expect([...addresses].sort()).toEqual(['/admin', '/cart', '/info', '/login', '/register', '/reset-password', '/store', '/user'])
  expect([...addresses].filter((address) => !router.includes(`path="${address}`))).toEqual([])
})

test('every call that docs/spec-coverage.md names is one of the app, and all 25 of the specification are named', () => {
  const calls = page.slice(page.indexOf('## 7. Calls'), page.indexOf('## 8. Messages'))
  const named = [...calls.matchAll(/\b(GET|POST|PUT|DELETE) (\/[\w/{}-]+)/g)].map(([, method, path]) => `${method} ${path}`)
  const declared = Object.keys(routes).map((route) => route.replaceAll(/:(\w+)/g, '{$1}'))
  expect([...new Set(named)].filter((call) => !declared.includes(call))).toEqual([])
  expect(new Set(named).size).toBe(25)
})

function plain(text: string): string {
  return text
    .replace(/\\(['’])/g, '$1')
    .replaceAll('’', "'")
    .replace(/\$\{[^}]*\}/g, '')
}

function listFiles(text: string): string[] {
  return [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.[a-z]+)`/g)].map(([, file]) => file!)
}

/** A file in backticks, then one title or more in curly quotes. */
function listNamedTests(text: string): { file: string; title: string }[] {
  return [...text.matchAll(/`([^`]+\.(?:test|spec)\.ts)`((?:,? “[^”]+”)+)/g)].flatMap(([, file, titles]) =>
    [...titles!.matchAll(/“([^”]+)”/g)].map(([, title]) => ({ file: file!, title: title! })),
  )
}

/** As the source writes it: a string that is the first of several arguments. */
function hasTest(file: string, title: string): boolean {
  if (!existsSync(resolve(ROOT, file))) return false
  const source = readFileSync(resolve(ROOT, file), 'utf8')
  return ["'", '"', '`'].some(
    (quote) =>
      source.includes(`(${quote}${title}${quote},`) ||
      source.includes(`\n    ${quote}${title}${quote},`) ||
      source.includes(`\n  ${quote}${title}${quote},`),
  )
}
