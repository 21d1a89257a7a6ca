import { existsSync } from 'node:fs'
import { writeBackup } from '../server/platform/backup.ts'
import { ConfigError } from '../server/platform/config.ts'
import { createLog } from '../server/platform/log.ts'
import { chooseShop, ensureWritable, resolveTyped } from './choose-shop.ts'
import { reachDatabase } from './reach-database.ts'

// `npm run backup -- <file>`: all that the shop knows, open or closed, in one file.
const startedAt = performance.now()
const [name] = process.argv.slice(2)

try {
  if (!name) throw new Error('Say which file to write: npm run backup -- dwadi-2026-11-21.zst')
  const file = resolveTyped(name)
  const config = chooseShop()
  await ensureWritable(file)
  const database = await reachDatabase(config, createLog('error'))
  try {
    const { tables, rows, bytes } = await writeBackup({ url: database.url, file })
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`${file}: ${tables} tables, ${rows} rows, ${(bytes / 1_048_576).toFixed(1)} MiB, ${seconds} s`)
  } finally {
    await database.leave()
  }
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : `No backup was made: ${(error as Error).message}`)
  if (name && existsSync(`${resolveTyped(name)}.unfinished`))
    console.error(`Remove ${resolveTyped(name)}.unfinished, which a backup left that was ended in the middle.`)
  process.exitCode = 1
}
