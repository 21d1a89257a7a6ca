import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { refuseGuessableAdmin } from '../server/features/people/auth/refuse-common-password.ts'
import { checkDatabase, databaseSettings } from '../server/platform/check-database.ts'
import { type Config, ConfigError } from '../server/platform/config.ts'
import { chooseShop } from './choose-shop.ts'

// `npm run settings:check`: whether this version would start with the shop's settings. It opens and changes nothing.
try {
  const config = chooseShop()
  await checkDatabase(databaseSettings(config))
  if (config.mode === 'live' && config.databaseUrl === undefined) refuseFolderOfProgram(config.dataDir)
  await checkPassword(config)
  for (const warning of config.warnings) console.log(warning)
  console.log('The settings are right.')
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

/**
 * The next version lies in a folder of its own, and would begin with an empty database.
 * @throws ConfigError
 */
function refuseFolderOfProgram(dataDir: string) {
  let real = dataDir
  while (!existsSync(real)) real = dirname(real)
  for (let folder = realpathSync(real); folder !== dirname(folder); folder = dirname(folder)) {
    if (!existsSync(join(folder, 'server/main.ts'))) continue
    throw new ConfigError([
      `DATA_DIR: ${dataDir} is in the program's own folder, which an upgrade leaves behind. Set one of its own, such as /var/lib/dwadi/data, ` +
        'and move what is there already',
    ])
  }
}

/** Only the first start asks for it: a shop that has its admin opens all the same. */
async function checkPassword({ firstAdmin, passwords, databaseUrl, dataDir }: Config) {
  try {
    await refuseGuessableAdmin(firstAdmin, passwords)
  } catch (error) {
    if (databaseUrl === undefined && !existsSync(join(dataDir, 'postgres/PG_VERSION'))) throw error
    console.log('ADMIN_PASSWORD is too easy to guess. Take it out, or choose another where there is no admin yet.')
  }
}
