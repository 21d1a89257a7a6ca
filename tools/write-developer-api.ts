import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { composeOpenApi } from '../server/features/channels/developer-api/compose-openapi.ts'

// Writes docs/developer-api.json anew, and the client that a common generator makes of it, with which a test runs the whole API.
const ROOT = resolve(import.meta.dirname, '..')
const FILE = 'docs/developer-api.json'
const CLIENT = 'test/fixtures/developer-api-client.js'
const GENERATOR = ['-p', 'typescript@5.9.3', '-p', 'swagger-typescript-api@13.13.0', 'swagger-typescript-api']

const text = `${JSON.stringify(composeOpenApi('Dwadi'), null, 2)}\n`
await writeFile(resolve(ROOT, FILE), text)
execFileSync('npx', ['--yes', ...GENERATOR, 'generate', '-p', FILE, '-o', 'test/fixtures', '--name', 'developer-api-client', '--js'], {
  cwd: ROOT,
  stdio: 'inherit',
})
const client = await readFile(resolve(ROOT, CLIENT), 'utf8')
await writeFile(
  resolve(ROOT, CLIENT),
  `// Made of ${FILE} (sha256 ${createHash('sha256').update(text).digest('hex')}) by tools/write-developer-api.ts\n${client}`,
)
