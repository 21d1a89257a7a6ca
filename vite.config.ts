import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const SERVER = process.env.SHOP_SERVER ?? 'http://127.0.0.1:3000'

// Zod stands alone: it needs nothing, and chunks that need each other would start in the wrong order.
const ZOD = /node_modules\/zod\//
const FORMS = /web\/lib\/use-form|web\/ui\/(?:field|password-field|phone-field|money-field)\.|features\/auth\/form-error/
const QUERIES =
  /@tanstack|web\/lib\/(?:query-client|query-provider|cached-lists|http)\.|web\/features\/(?:products|notice|users)\/api|web\/ui\/(?:page-header|notice-box|money)\.|shared\/money/
const BASE =
  /rolldown\/runtime|node_modules\/(?:react|react-dom|scheduler|wouter|regexparam|use-sync-external-store)\/|lucide-react\/dist\/esm\/(?!icons)|icons\/(?:chevron-(?:left|right)|message-circle|wallet|circle-check|x|pause|info|(?:circle|triangle)-(?:alert|exclamation-point))\.|web\/ui\/(?:network-badge|class-names|button|spinner|page|skeleton|empty-state|layer)\.|web\/lib\/(?:session|store|stored|theme|redirect|use-media-query)\./

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The content security policy allows neither inline scripts nor data addresses in style sheets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // A first visit is a few requests, not one for every small module that two screens share: what every page needs,
        // what every page that asks the server needs, and what every form needs.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'zod', priority: 4, test: ZOD },
            { name: 'forms', priority: 3, test: FORMS },
            { name: 'queries', priority: 2, test: QUERIES },
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
