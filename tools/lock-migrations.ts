import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

// `npm run node -- tools/lock-migrations.ts`: at a release, keeps the hash of every migration, as `sha256sum` writes it. What a shop
// has run never changes again: db/migrations.test.ts sees to it. A line that is there is never replaced.
const DB = resolve(import.meta.dirname, '../db')
const LOCK = resolve(DB, 'migrations.lock')

const locked = new Map(
  readFileSync(LOCK, 'utf8')
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('  ') as [string, string])
    .map(([hash, file]) => [file, hash]),
)
for (const file of readdirSync(resolve(DB, 'migrations')).sort()) {
  const hash = createHash('sha256')
    .update(readFileSync(resolve(DB, 'migrations', file)))
    .digest('hex')
  if (!locked.has(file)) locked.set(file, hash)
  else if (locked.get(file) !== hash)
    throw new Error(`${file} was released and has changed since: take that back, and write a new migration.`)
}
writeFileSync(LOCK, [...locked].map(([file, hash]) => `${hash}  ${file}\n`).join(''))
console.log(`${locked.size} migrations are locked`)
