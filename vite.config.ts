import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { checkChunks } from './tools/check-chunks.ts'
import { importIconsApart } from './tools/import-icons-apart.ts'
import { lowerCss } from './tools/lower-css.ts'
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

/**
 * Excel files are packed and unpacked without a worker: it would be made of text, which the content security policy forbids, and whoever
 * reads or writes half a megabyte and more would wait for it forever.
 */
function zipWithoutWorker(): Plugin {
  const name = '\0zip'
  return {
    name: 'zip-without-worker',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id !== 'fflate') return null
      if (importer === name) return this.resolve(id, own('node_modules/read-excel-file/package.json'))
      return importer && /\/zip\/(?:unzipFrom|zipTo)ArrayBuffer\.js$/.test(importer) ? name : null
    },
    load: (id) =>
      id === name
        ? `import { unzipSync, zipSync } from 'fflate'
          const answer = (work) => (data, ...rest) => {
            const done = rest.pop()
            let result
            try {
              result = work(data, ...rest)
            } catch (error) {
              return done(error, null)
            }
            done(null, result)
          }
          export const unzip = answer(unzipSync)
          export const zip = answer(zipSync)`
        : null,
  }
}

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss(), fetchCodeFirst(), importIconsApart(), zipWithoutWorker(), checkChunks()],
  css: { postcss: { plugins: [lowerCss()] } },
  build: {
    target: ['chrome64', 'edge79', 'firefox91', 'safari14', 'ios14'],
    outDir: '../dist/web',
    emptyOutDir: true,
    // The content security policy allows neither inline scripts nor data addresses in style sheets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One style sheet, which the page carries in itself: no screen is to fetch it again.
    cssCodeSplit: false,
    // Without it, what the first page shares with later screens would be split into many small files.
    rolldownOptions: {
      // A class's fields are set as if they were assigned, which takes no helper in a browser without them.
      transform: { assumptions: { setPublicClassFields: true } },
      // Building a schema has no side effects, so a page gets only those that it uses, and no endpoint's declaration.
      // Neither has reading a property or a global of the browser.
      treeshake: { manualPureFunctions: ['z', 'endpoints', 'idParam'], propertyReadSideEffects: false, unknownGlobalSideEffects: false },
      output: {
        // Every page carries the names of all screens' files, so they are as short as the bundler lets them be: words would cost 0.4 KB.
        chunkFileNames: 'assets/[hash:7].js',
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
