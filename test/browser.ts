import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'

export type Browser = { executablePath: string; args: string[]; env: Record<string, string> }

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Older ones lack what the pages and Playwright use. */
const OLDEST_MAJOR = 120

const CACHE = resolve(import.meta.dirname, '../node_modules/.cache/dwadi')

/**
 * Finds a Chromium without downloading one: `CHROMIUM_PATH`, Playwright's own, the system's, and at last the one
 * that comes with the development packages.
 * @throws Error where there is none: on macOS, Windows and arm64 without a Chrome, Chromium or Edge.
 */
export async function resolveBrowser(): Promise<Browser> {
  const installed = namedBrowser() ?? playwrightsBrowser() ?? systemBrowser()
  if (installed) return { executablePath: installed, args: ARGS, env: ownEnvironment() }
  return packagedBrowser()
}

/**
 * The same, but on x64 Linux the packaged headless shell comes before the system's browser, which takes twice the CPU
 * time, having a window of its own even when nobody sees it.
 * @throws Error where there is none, as `resolveBrowser` does.
 */
export async function resolveHeadlessBrowser(): Promise<Browser> {
  const isPackaged = process.platform === 'linux' && process.arch === 'x64'
  return isPackaged && !namedBrowser() && !playwrightsBrowser() ? packagedBrowser() : resolveBrowser()
}

function namedBrowser() {
  const path = process.env.CHROMIUM_PATH
  if (path && !existsSync(path)) throw new Error(`CHROMIUM_PATH names no file: ${path}`)
  return path
}

function playwrightsBrowser() {
  return [chromium.executablePath()].find((path) => existsSync(path))
}

function systemBrowser() {
  return systemPaths().find((path) => existsSync(path) && isUsableBrowser(path))
}

function systemPaths() {
  switch (process.platform) {
    case 'darwin':
      return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
    case 'win32':
      return ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA']
        .flatMap((name) => process.env[name] ?? [])
        .flatMap((folder) =>
          ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].map((path) => join(folder, path)),
        )
    default: {
      const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/snap/bin']
      const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']
      return names.flatMap((name) => folders.map((folder) => join(folder, name)))
    }
  }
}

/**
 * Whether a program calls itself a Chromium, Chrome or Edge that is recent enough. Ubuntu installs a script that only
 * says that a snap is missing, and Debian's launcher may print shell warnings around its answer.
 */
export function isUsableBrowser(path: string): boolean {
  if (process.platform !== 'linux') return true
  const { stdout } = spawnSync(path, ['--version', '--no-sandbox'], { encoding: 'utf8', timeout: 30_000, stdio: 'pipe' })
  const [, major] = /^(?:Chromium|Google Chrome|Microsoft Edge)\b[^\d\n]*(\d+)\./m.exec(stdout ?? '') ?? []
  return Number(major) >= OLDEST_MAJOR
}

async function packagedBrowser(): Promise<Browser> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `No browser found. Install Chrome, run \`npx playwright install chromium\`, or set CHROMIUM_PATH (${process.platform} ${process.arch}).`,
    )
  }
  const folder = await unpackedChromium()
  return {
    executablePath: join(folder, 'chromium'),
    args: ARGS,
    env: {
      ...ownEnvironment(),
      LD_LIBRARY_PATH: [join(folder, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(delimiter),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  }
}

/** Two processes may unpack at the same time; the first to rename wins and the other throws its copy away. */
export async function unpackedChromium() {
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'))
  const { version } = JSON.parse(readFileSync(resolve(entry, '../../package.json'), 'utf8'))
  const folder = join(CACHE, `chromium-${version}`)
  if (existsSync(folder)) return folder

  const draft = `${folder}.${process.pid}`
  await mkdir(draft, { recursive: true })
  try {
    await unpackInto(draft, entry)
    await writeFile(join(draft, 'fonts.conf'), fontsConf(folder))
    await rename(draft, folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

/**
 * The package unpacks into the temporary folder of its process, and its shared libraries (NSS and what it needs)
 * only where it believes to be in a Lambda function; so it gets a process of its own that believes so.
 */
async function unpackInto(folder: string, entry: string) {
  const script = `import(${JSON.stringify(entry)}).then(({ default: chromium }) => chromium.executablePath())`
  const env = { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' }
  await promisify(execFile)(process.execPath, ['-e', script], { env })
}

/** The package's own file looks for fonts in /tmp only. Its Open Sans comes first, so that text is as wide on every machine. */
function fontsConf(folder: string) {
  const preferences = { 'sans-serif': 'Open Sans', 'system-ui': 'Open Sans', serif: 'DejaVu Serif', monospace: 'DejaVu Sans Mono' }
  const aliases = Object.entries(preferences).map(
    ([family, font]) => `<alias binding="strong"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`,
  )
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
  ${aliases.join('\n  ')}
</fontconfig>
`
}

function ownEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
