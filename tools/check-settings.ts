import { checkDatabase, databaseSettings } from '../server/platform/check-database.ts'
import { chooseShop } from './choose-shop.ts'

// `npm run settings:check`: whether this version would start with the shop's settings. It opens and changes nothing.
try {
  const config = chooseShop()
  await checkDatabase(databaseSettings(config))
  for (const warning of config.warnings) console.log(warning)
  console.log('The settings are right.')
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
