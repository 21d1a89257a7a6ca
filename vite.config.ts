import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { checkChunks } from './tools/check-chunks.ts'

const SERVER = process.env.SHOP_SERVER ?? 'http://127.0.0.1:3000'

const own = (path: string) => fileURLToPath(new URL(path, import.meta.url))

function fetchCodeFirst(): Plugin {
  return {
    name: 'fetch-code-first',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (id.endsWith('vite/preload-helper.js') ? own('web/lib/fetch-code.ts') : null),
  }
}

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss(), fetchCodeFirst(), checkChunks()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The content security policy allows neither inline scripts nor data addresses in style sheets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One style sheet, which the page carries in itself: no screen is to fetch it again.
    cssCodeSplit: false,
    // Without it, what the first page shares with later screens would be split into many small files.
    rolldownOptions: {
      // Building a schema has no side effects, so a page gets only those that it uses, and no endpoint's declaration.
      // Neither has reading a property or a global of the browser.
      treeshake: { manualPureFunctions: ['z', 'endpoints', 'idParam'], propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      output: {
        // Every page carries the names of all screens' files.
        chunkFileNames: 'assets/[name]-[hash:6].js',
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'] },
            // What several screens share, by when it is needed: a file of its own for each piece would cost every page its name.
            {
              name: 'tickets',
              test: /web\/(?:ui\/(?:ticket|money|network-art)|features\/products\/(?:last-catalogue|price-for|network-anchor|offer-parts))\.tsx?$|shared\/money\.ts$/,
            },
            {
              name: 'pieces',
              test: /web\/(?:ui\/(?:empty-state|lazy-dialog|notice-box|page-header|toast|chip)|lib\/(?:public-data|api)|features\/products\/api)\.tsx?$|lucide-react\/dist\/esm\/(?!icons\/(?!chevron-right|megaphone))/,
            },
            {
              name: 'parts',
              test: /web\/(?:ui\/(?:details|confirm-action|layer|tabs|offline-note|punches|copy-button|network-badge)|lib\/(?:use-now|use-is-offline|copy-text))\.tsx?$|lucide-react\/dist\/esm\/icons/,
              minShareCount: 2,
            },
            {
              name: 'forms',
              test: /web\/(?:ui\/(?:field|phone-field|password-field|switch-field)|lib\/(?:use-form|redirect|sign-outs)|texts\/(?:fields|auth)|features\/auth\/(?:form-error|api))\.tsx?$|shared\/user-rules\.ts$/,
              minShareCount: 2,
            },
            { name: 'queries', test: /@tanstack|web\/lib\/query-(?:client|provider)\.tsx?$/ },
            { name: 'paying', test: /web\/features\/(?:payments|checkout|cart)\/[^/]+$/, minShareCount: 2 },
            {
              name: 'orders',
              test: /web\/(?:features\/(?:orders|receipts|contacts|tracker)\/[^/]+|texts\/orders\.ts|ui\/(?:timeline|torn-ticket)\.tsx)$/,
              minShareCount: 2,
            },
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
