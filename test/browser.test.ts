import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isUsableBrowser } from './browser.ts'

const WARNING = '/usr/bin/chromium: 9: [: 25276514304: unexpected operator'

test.runIf(process.platform === 'linux').each([
  ['a browser', 'echo "Chromium 156.0.8078.79 built on Debian GNU/Linux 12 (bookworm)"', true],
  ['a warning on stderr first', `echo "${WARNING}" >&2; echo "Chromium 156.0.8078.79 built on Debian"`, true],
  ['a warning on stdout first', `echo "${WARNING}"; echo "Google Chrome 153.0.7000.1"`, true],
  ['an answer with a failing exit code', 'echo "Chromium 156.0.8078.79"; exit 1', true],
  ['a beta', 'echo "Microsoft Edge Beta 150.0.1.2"', true],
  ['one that is too old', 'echo "Chromium 90.0.4430.212"', false],
  ['a stub that asks for a snap', `echo "Command '$0' requires the chromium snap to be installed."; exit 1`, false],
  ['one that fails', 'exit 127', false],
])('%s: usable %s', async (_, script, usable) => {
  const folder = await mkdtemp(join(tmpdir(), 'dwadi-browser-'))
  const path = join(folder, 'chromium')
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  expect(isUsableBrowser(path)).toBe(usable)
  await rm(folder, { recursive: true })
})
