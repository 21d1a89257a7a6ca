import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { listSettings } from '../server/platform/config.ts'

const ROOT = resolve(import.meta.dirname, '..')
const page = readFileSync(resolve(ROOT, 'docs/going-live.md'), 'utf8')

test('the table of settings in docs/going-live.md has every variable and its default, and no other', () => {
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (?:`([^`]*)`|(none)) \|/gm)].map(([, name, fallback, none]) => ({
    name,
    fallback: none ? null : fallback,
  }))
  expect(rows.sort(byName)).toEqual(listSettings().sort(byName))
})

test('docs/live.env names settings that exist, and nothing with a secret in it', () => {
  const known = new Set([...listSettings().map(({ name }) => name), 'POSTGRES_PASSWORD'])
  const lines = readFileSync(resolve(ROOT, 'docs/live.env'), 'utf8').matchAll(/^#? ?([A-Z_]+)=(.*)$/gm)
  const given = [...lines].map(([, name, value]) => ({ name: name!, value: value! }))
  expect(given.filter(({ name }) => !known.has(name))).toEqual([])
  expect(given.filter(({ name, value }) => /PASSWORD|KEY|SMTP_URL/.test(name) && value !== '')).toEqual([])
})

test('every command that the documents name is one of package.json', () => {
  const { scripts } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8'))
  const text = ['README.md', 'docs/going-live.md', 'docs/scaling.md'].map((file) => readFileSync(resolve(ROOT, file), 'utf8')).join('\n')
  const named = [...text.matchAll(/npm run ([a-z:-]+)/g)].map(([, name]) => name!)
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

function byName(a: { name: string | undefined }, b: { name: string | undefined }) {
  return (a.name ?? '').localeCompare(b.name ?? '')
}
