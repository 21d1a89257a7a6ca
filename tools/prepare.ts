import { linkSync, rmSync, symlinkSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

// After `npm ci`: the link that some versions of npm leave out, then the web app.
const PACKAGES = resolve(import.meta.dirname, '../node_modules')

linkNode()
await import('./build-if-stale.ts')

/** `npx vitest` and the like look for `node` beside their programs. */
function linkNode() {
  const isOurs = process.execPath.startsWith(PACKAGES)
  if (!isOurs) return
  const isWindows = process.platform === 'win32'
  const link = join(PACKAGES, '.bin', isWindows ? 'node.exe' : 'node')
  rmSync(link, { force: true })
  // A symbolic link may need an administrator on Windows.
  if (isWindows) linkSync(process.execPath, link)
  else symlinkSync(relative(join(PACKAGES, '.bin'), process.execPath), link)
}
