import { resolve } from 'node:path'
import { openShop } from '../e2e/open-shop.ts'
import { BROWSERS } from './browsers.ts'
import { openCuttableLine } from './cuttable-line.ts'
import { customersLife, type Journey, ownersMorning } from './journeys.ts'
import { noteRun } from './note-run.ts'
import { pageOf } from './page.ts'

// `npm run test:browsers [-- name … --install]`: whole journeys in browsers that are not those of the other tests. Each notes in docs/browsers.md what came of it.

const PICTURES = resolve(import.meta.dirname, '../../test-pictures')
const JOURNEYS: Record<string, Journey> = { 'customer’s life': customersLife, 'owner’s morning': ownersMorning }

const asked = process.argv.slice(2).filter((word) => word !== '--install')
const unknown = asked.filter((name) => !(name in BROWSERS))
if (unknown.length > 0) throw new Error(`no browser ${unknown.join(', ')}; there are ${Object.keys(BROWSERS).join(', ')}`)

for (const [name, open] of Object.entries(BROWSERS)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  for (const [journey, travel] of Object.entries(JOURNEYS)) {
    const { version, error, tookMs } = await run(name, journey, open, travel)
    await noteRun({ name, version, journey, tookMs, failedAt: error?.split(':')[0] ?? null })
    console.log(`${error ? '✘' : '✔'} ${name} (${version}): ${journey}, ${(tookMs / 1000).toFixed(0)} s`)
    if (!error) continue
    console.log(`  ${error.replaceAll('\n', '\n  ')}`)
    process.exitCode = 1
  }
}

async function run(name: string, journey: string, open: (typeof BROWSERS)[string], travel: Journey) {
  const shop = await openShop(name)
  const line = await openCuttableLine(shop.address)
  const startedAt = performance.now()
  let version = 'not started'
  let step = 'starts'
  try {
    const driver = await open()
    version = driver.version
    const page = pageOf(driver, line.address, resolve(PICTURES, name, journey.replace(/\W+/g, '-')))
    try {
      await travel({
        page,
        shop,
        line,
        step(next) {
          step = next
        },
      })
      const errors = await driver.takeErrors()
      if (errors.length > 0) throw new Error(`its console says:\n${errors.join('\n')}`)
    } catch (error) {
      await page.picture('failed').catch(() => undefined)
      throw new Error(`${step}: ${(error as Error).message}\nconsole: ${(await driver.takeErrors().catch(() => [])).join('\n')}`)
    } finally {
      await driver.close()
    }
    return { version, error: null, tookMs: performance.now() - startedAt }
  } catch (error) {
    return { version, error: (error as Error).message, tookMs: performance.now() - startedAt }
  } finally {
    await line.close()
    await shop.close()
  }
}
