import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

// `npm run node -- tools/lock-migrations.ts`: at a release, keeps the hash of every migration and preparation, as `sha256sum` writes it. What a shop
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
const files = ['.', 'prepare'].flatMap((folder) =>
  readdirSync(resolve(DB, 'migrations', folder))
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => join(folder, file)),
)
for (const file of files) {
  const hash = createHash('sha256')
    .update(readFileSync(resolve(DB, 'migrations', file)))
    .digest('hex')
  if (!locked.has(file)) locked.set(file, hash)
  else if (locked.get(file) !== hash)
    throw new Error(`${file} was released and has changed since: take that back, and write a new migration.`)
}
writeFileSync(LOCK, [...locked].map(([file, hash]) => `${hash}  ${file}\n`).join(''))
console.log(`${locked.size} migrations are locked`)
