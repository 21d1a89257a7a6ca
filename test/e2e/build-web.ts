import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'

/** Once before all journeys: the shops that they open serve the web app as it stands. */
export default function buildWeb() {
  execFileSync(process.execPath, [resolve(import.meta.dirname, '../../tools/build-if-stale.ts')], { stdio: 'inherit' })
}
