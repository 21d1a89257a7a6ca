import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { checkChunks } from './tools/check-chunks.ts'
import { nameSharedChunk } from './tools/name-shared-chunk.ts'

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
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: [
            { name: 'base', tags: ['$initial'] },
            // A module's group includes those of all that it imports, so following its imports would only move them.
            { name: nameSharedChunk, debugName: 'what screens share', includeDependenciesRecursively: false },
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
