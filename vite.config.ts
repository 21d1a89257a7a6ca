import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const SERVER = process.env.SHOP_SERVER ?? 'http://127.0.0.1:3000'

// Zod stands alone: it needs nothing, and chunks that need each other would start in the wrong order.
const ZOD = /node_modules\/zod\//
const FORMS = /web\/lib\/use-form|web\/ui\/(?:field|password-field|phone-field|money-field)\.|features\/auth\/form-error/
const QUERIES = /@tanstack|web\/lib\/(?:query-client|query-provider|cached-lists)\./
const SHELF =
  /web\/lib\/(?:http|api|remote|session-change|stored-entries|drafts)\.|web\/features\/(?:products|notice|users)\/api|web\/ui\/(?:page-header|notice-box|empty-state|money|lazy-dialog)\.|shared\/money|icons\/(?:info|(?:circle|triangle)-(?:alert|exclamation-point))\./
const PAYING = /web\/features\/(?:payments\/(?!.*popup)|checkout\/|orders\/(?:paid|recent-receivers))|web\/ui\/details\./
const DIALOGS = /web\/ui\/(?:dialog|layer|toast|confirm-action)\.|icons\/x\./
const BASE =
  /rolldown\/runtime|node_modules\/(?:react|react-dom|scheduler|wouter|regexparam|use-sync-external-store)\/|lucide-react\/dist\/esm\/(?!icons)|icons\/(?:store|moon|sun|log-in|user-plus|chevron-(?:left|right)|message-circle|wallet|circle-check)\.|web\/features\/shop\/|web\/app\/(?:app|router|shell|navigation|nav-link|footer|error-boundary|page-loading)\.|web\/ui\/(?:network-badge|class-names|button|spinner|page|skeleton|draw-icon|companions-wanted|sign-mark)\.|web\/lib\/(?:session|unsent-sign-outs|links|store|stored|theme|sign-in-path|use-media-query|use-later|fetch-later|lazy-screen|page-data|react-own-store|fetch-code)\./

const NAMED = /^(?:base|shelf|queries|forms|zod|.*page|.*popup)$/

const own = (path: string) => fileURLToPath(new URL(path, import.meta.url))

function fetchCodeFirst(): Plugin {
  return {
    name: 'fetch-code-first',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (id.endsWith('vite/preload-helper.js') ? own('web/lib/fetch-code.ts') : null),
  }
}

/** Chunks that import each other start in the order in which they arrive, so that one may find the other empty. */
function refuseCycles(): Plugin {
  return {
    name: 'refuse-cycles',
    generateBundle(_options, bundle) {
      const importsOf = (name: string) => {
        const chunk = bundle[name]
        return chunk?.type === 'chunk' ? chunk.imports : []
      }
      const fine = new Set<string>()
      const follow = (name: string, path: string[]) => {
        if (path.includes(name)) this.error(`these chunks import each other: ${[...path.slice(path.indexOf(name)), name].join(' → ')}`)
        if (fine.has(name)) return
        for (const next of importsOf(name)) follow(next, [...path, name])
        fine.add(name)
      }
      for (const name of Object.keys(bundle)) follow(name, [])
    },
  }
}

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss(), fetchCodeFirst(), refuseCycles()],
  resolve: {
    alias: [
      // The router brings a stand-in for a hook that React has had since 18.
      { find: 'use-sync-external-store/shim/index.js', replacement: own('web/lib/react-own-store.ts') },
      // As every icon of the set asks for it.
      { find: '../createLucideIcon.mjs', replacement: own('web/ui/draw-icon.ts') },
    ],
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The content security policy allows neither inline scripts nor data addresses in style sheets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // The first page carries the names of all chunks, so most have none but their hash.
        chunkFileNames: ({ name }) => (NAMED.test(name) ? 'assets/[name]-[hash:6].js' : 'assets/[hash:6].js'),
        // A first visit is a few requests, not one for every small module that two screens share: what every page needs,
        // what every page that asks the server needs, and what every form needs.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'zod', priority: 4, test: ZOD },
            { name: 'forms', priority: 3, test: FORMS },
            { name: 'queries', priority: 2, test: QUERIES },
            { name: 'dialogs', priority: 2, test: DIALOGS },
            { name: 'paying', priority: 2, test: PAYING },
            { name: 'shelf', priority: 2, test: SHELF },
            { name: 'base', priority: 1, test: BASE },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': SERVER,
      '/images': SERVER,
      '/sandbox': SERVER,
      '/socket.io': { target: SERVER, ws: true },
    },
  },
})
