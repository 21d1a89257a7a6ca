import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

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
    (quote) => source.includes(`(${quote}${title}${quote},`) || source.includes(`\n    ${quote}${title}${quote},`),
  )
}
