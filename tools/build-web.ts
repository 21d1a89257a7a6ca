import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build, type Manifest } from 'vite'
import { precompress } from './precompress.ts'

const ROOT = resolve(import.meta.dirname, '..')
/** Where it is built: `dist`, or the folder that is named. */
const OUT = resolve(process.argv[2] ?? join(ROOT, 'dist'))
const WEB = join(OUT, 'web')
const PRERENDER = join(OUT, 'prerender')
const CONFIG = join(ROOT, 'vite.config.ts')
/** The prerendered screens, and the module of each. */
const PRERENDERED = { '/': 'features/storefront/home/home-page.tsx', '/store': 'features/storefront/store/store-page.tsx' }
/** The screen of agents' shops, which the server only announces: its code is named in its page. */
const ANNOUNCED = { '/s': 'features/agents/guest-shop/guest-shop-page.tsx' }
const PRODUCTION = { 'process.env.NODE_ENV': '"production"' }

const oldBrowsers = await buildForOldBrowsers()
await buildBrowserApp()
await writeFile(join(WEB, oldBrowsers.path), oldBrowsers.code)
await buildPrerendering()
await buildServiceWorker(await listForService())
await precompress(WEB)

/** Apart from the app, whose files would share the helpers of what old browsers alone load. */
async function buildForOldBrowsers() {
  const [built] = (await build({
    configFile: CONFIG,
    logLevel: 'warn',
    publicDir: false,
    define: PRODUCTION,
    build: {
      write: false,
      lib: { entry: join(ROOT, 'web/lib/old-browsers.ts'), formats: ['iife'], name: 'oldBrowsers' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })) as { output: { code: string }[] }[]
  const code = built?.output[0]?.code
  if (!code) throw new Error('web/lib/old-browsers.ts came to nothing')
  return { path: `assets/old-${createHash('sha256').update(code).digest('base64url').slice(0, 7)}.js`, code }
}

async function buildBrowserApp() {
  await build({
    configFile: CONFIG,
    define: { __OLD_BROWSERS__: JSON.stringify(`/${oldBrowsers.path}`) },
    build: { outDir: WEB, manifest: 'manifest.json', rolldownOptions: { external: [`/${oldBrowsers.path}`] } },
  })
}

/** What the server prerenders the first screens with, without packages. The other screens are files of their own, which it never loads. */
async function buildPrerendering() {
  await build({
    configFile: CONFIG,
    logLevel: 'warn',
    publicDir: false,
    define: PRODUCTION,
    ssr: { noExternal: true },
    build: {
      ssr: 'prerender.tsx',
      outDir: PRERENDER,
      emptyOutDir: true,
      minify: true,
      // Here the first screens hold what browsers load later: the server has it at hand.
      rolldownOptions: { output: { entryFileNames: 'prerender.js' }, checks: { ineffectiveDynamicImport: false } },
    },
  })
  const manifest = await readManifest()
  const everywhere = new Set(await filesOfPage())
  const screens = Object.fromEntries(
    Object.entries({ ...PRERENDERED, ...ANNOUNCED }).map(([path, module]) => [
      path,
      filesOf(manifest, module).filter((file) => !everywhere.has(file)),
    ]),
  )
  await writeFile(join(PRERENDER, 'screens.json'), JSON.stringify(screens))
}

/** All in one file, as a classic script: module workers are younger than the phones that come here. */
async function buildServiceWorker(files: string[]) {
  await build({
    configFile: CONFIG,
    logLevel: 'warn',
    publicDir: false,
    define: { __FILES__: JSON.stringify(files), ...PRODUCTION },
    build: {
      outDir: WEB,
      emptyOutDir: false,
      copyPublicDir: false,
      lib: { entry: join(ROOT, 'web/service-worker.ts'), formats: ['iife'], name: 'serviceWorker', fileName: () => 'service-worker.js' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
}

/** What a visitor has loaded already by the time that the service worker asks for it, so that it costs nothing more. */
async function listForService(): Promise<string[]> {
  const manifest = await readManifest()
  return [...new Set([...(await filesOfPage()), ...Object.values(PRERENDERED).flatMap((module) => filesOf(manifest, module))])]
}

/** The page carries its style in itself. */
async function filesOfPage(): Promise<string[]> {
  const html = await readFile(join(WEB, 'index.html'), 'utf8')
  return [...html.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map(([, file]) => file as string)
}

/** The files of a module and of what it imports at once. */
function filesOf(manifest: Manifest, module: string, known = new Set<string>()): string[] {
  const chunk = manifest[module]
  if (!chunk || known.has(module)) return []
  known.add(module)
  return [`/${chunk.file}`, ...(chunk.imports ?? []).flatMap((imported) => filesOf(manifest, imported, known))]
}

async function readManifest(): Promise<Manifest> {
  return JSON.parse(await readFile(join(WEB, 'manifest.json'), 'utf8'))
}
