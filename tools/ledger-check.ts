import { checkLedger, countReconciliation } from '../server/ledger/check-ledger.ts'
import { type Config, ConfigError } from '../server/platform/config.ts'
import { openPool } from '../server/platform/db.ts'
import { createLog } from '../server/platform/log.ts'
import { chooseShop } from './choose-shop.ts'
import { reachDatabase } from './reach-database.ts'

// Proves the books of the shop that the settings name, open or closed. Exit code 1: something is wrong.
const log = createLog('error')

try {
  process.exitCode = await check(chooseShop())
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : `The books could not be checked: ${(error as Error).message}`)
  process.exitCode = 1
}

async function check(config: Config): Promise<number> {
  const database = await reachDatabase(config, log)
  const db = openPool({ url: database.url, size: 2, log, name: 'dwadi ledger check' })
  try {
    const violations = await checkLedger(db)
    for (const { rule, subject, detail } of violations) console.error(`BROKEN  ${rule}\n        ${subject}: ${detail}`)
    if (violations.length > 0) return 1
    const { entries, postings, wallets } = await countReconciliation(db)
    console.log(`${entries} entries, ${postings} postings, ${wallets} wallets: all balanced`)
    return 0
  } finally {
    await db.end()
    await database.leave()
  }
}
