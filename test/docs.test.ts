import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { RELEASED } from '../resilience/released-version.ts'
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

test('the version of package.json is a later one than that released last, which CHANGELOG.md and resilience/released-version.ts name', () => {
  const released = /^## \[(\d[^\]]*)\]/m.exec(readFileSync(resolve(ROOT, 'CHANGELOG.md'), 'utf8'))?.[1]
  expect(RELEASED.version).toBe(released)
  const { version } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8'))
  expect(RELEASED.version.localeCompare(version, 'en', { numeric: true })).toBeLessThan(0)
})

test('docs/live.env names every setting once and no other, each with its default, a blank, or what a live shop needs', () => {
  const known = new Map(listSettings().map(({ name, fallback }) => [name, fallback]))
  const lines = readFileSync(resolve(ROOT, 'docs/live.env'), 'utf8').matchAll(/^(# )?([A-Z][A-Z_]+)=(.*)$/gm)
  const given = [...lines].map(([, off, name, value]) => ({ isOff: off !== undefined, name: name!, value: value! }))
  expect(given.map(({ name }) => name).sort()).toEqual([...known.keys(), 'POSTGRES_PASSWORD'].sort())
  expect(given.filter(({ name, value }) => /PASSWORD$|_KEY$|TOKEN|SECRET|SMTP_URL/.test(name) && value !== '')).toEqual([])
  const strange = given.filter(({ name, value, isOff }) => isOff && value !== '' && value !== known.get(name))
  expect(strange.map(({ name }) => name).sort()).toEqual(['CARD', 'DATABASE_URL', 'MAIL', 'SMS_PROVIDER'])
})

test('no value in a sample of settings has a comment behind it, which would be part of the value', () => {
  const blocks = [...page.matchAll(/^```(?:ini)?\n(# \/etc\/\S+|# postgresql\.conf)[\s\S]*?^```$/gm)].map(([block]) => block)
  expect(blocks.length).toBeGreaterThanOrEqual(5)
  const samples = [...blocks, ...['docs/live.env', 'compose.yaml'].map((file) => readFileSync(resolve(ROOT, file), 'utf8'))]
  expect(samples.flatMap((sample) => sample.split('\n').filter((line) => /^[^#]*\S\s+#/.test(line)))).toEqual([])
})

test('every command that the documents and the headers of scripts name works as typed, also where the Node is an old one', () => {
  const documents = ['.', 'docs'].flatMap((folder) => filesOf(folder, '.md'))
  const headers = ['bench', 'tools', 'resilience', 'test/mutants', 'test/outside', 'test/race'].flatMap((folder) => filesOf(folder, '.ts'))
  const commands = [
    ...documents.flatMap((file) => commandsIn(file, readFileSync(resolve(ROOT, file), 'utf8'))),
    ...headers.flatMap((file) => commandsIn(file, commentsOf(readFileSync(resolve(ROOT, file), 'utf8')))),
  ]
  expect(commands.length).toBeGreaterThan(40)
  expect(commands.filter(({ command }) => !works(command))).toEqual([])
})

test.each([
  ['npm run bench', true],
  ['npm run node -- bench/checkouts.ts', true],
  ['npm run node -- bench/no-such.ts', false],
  ['npm run no-such', false],
  ['npx vitest run test/docs.test.ts', true],
  ['npx vitest run test/no-such.test.ts', false],
  // On Node 20: ERR_UNKNOWN_FILE_EXTENSION. In the container there is but one Node.
  ['node bench/checkouts.ts', false],
  ['docker compose exec shop node tools/backup.ts', true],
  ['node tools/run.js tools/backup.ts', true],
  ['node tools/run.js tools/no-such.ts', false],
])('`%s` works: %s', (text, isFine) => {
  expect(commandsIn('a document', `\`${text}\``).map(({ command }) => works(command))).toEqual([isFine])
})

function commandsIn(file: string, text: string) {
  return [
    ...text.matchAll(
      /(?:docker compose exec (?:-T |-e \S+ )?shop )?\b(?:npm run (?:-s )?[\w:-]+(?: -- [\w./-]+)?|npx [\w@/.-]+(?: run)?(?: [\w./-]+)?|(?<!run )node (?:tools\/run\.js )?(?:--\S+ )*[\w/.-]+\.ts)/g,
    ),
  ].map(([command]) => ({ file, command }))
}

function works(command: string): boolean {
  const { scripts } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8'))
  const files = [...command.matchAll(/[\w/.-]+\.tsx?\b/g)].map(([file]) => file)
  if (!files.every((file) => existsSync(resolve(ROOT, file)))) return false
  const [, script] = /^npm run (?:-s )?([\w:-]+)/.exec(command) ?? []
  if (script !== undefined) return script in scripts
  const [, program] = /^npx ([\w@/.-]+)/.exec(command) ?? []
  if (program !== undefined) return /^@|@\d/.test(program) || existsSync(resolve(ROOT, 'node_modules/.bin', program))
  return /^(?:docker compose exec (?:-T |-e \S+ )?shop node|node tools\/run\.js) /.test(command)
}

function commentsOf(text: string) {
  return [...text.matchAll(/^\s*(?:\/\/|\/?\*).*$|USAGE = '.*'/gm)].map(([line]) => line).join('\n')
}

function filesOf(folder: string, ending: string) {
  return readdirSync(resolve(ROOT, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))
}

function byName(a: { name: string | undefined }, b: { name: string | undefined }) {
  return (a.name ?? '').localeCompare(b.name ?? '')
}

test('the samples of proxies let through the longest request that the shop takes', () => {
  const files = readdirSync(resolve(ROOT, 'server'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?:^|\/)(?:routes|app)\.ts$/.test(name),
  )
  const sources = files.map((name) => readFileSync(resolve(ROOT, 'server', name), 'utf8'))
  const limits = sources.flatMap((source) =>
    [...source.matchAll(/^(?:export )?const \w*BYTES = ([\d_ *]+)$/gm)].map(([, product]) =>
      product!.split('*').reduce((total, factor) => total * Number(factor.replaceAll('_', '')), 1),
    ),
  )
  const used = sources.flatMap((source) => [...source.matchAll(/bodyLimit: (\w+)/g)].map(([, name]) => name!))
  expect(used.filter((name) => !sources.some((source) => new RegExp(`const ${name} = [\\d_ *]+$`, 'm').test(source)))).toEqual([])
  const longest = Math.max(...limits)
  expect(longest).toBeGreaterThanOrEqual(3 * 1024 ** 2)
  const caddy = /max_size (\d+)MB/.exec(readFileSync(resolve(ROOT, 'docs/proxy/Caddyfile'), 'utf8'))
  const nginx = /client_max_body_size (\d+)m;/.exec(readFileSync(resolve(ROOT, 'docs/proxy/nginx.conf'), 'utf8'))
  // Caddy counts in thousands.
  expect(Number(caddy?.[1]) * 1e6).toBeGreaterThanOrEqual(longest)
  expect(Number(nginx?.[1]) * 1024 ** 2).toBeGreaterThanOrEqual(longest)
})
