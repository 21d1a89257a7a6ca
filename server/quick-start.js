import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Loaded before the shop (`node --import`): caches compiled code beside the built web app, so that later starts skip
// stripping types. Does nothing where the cache cannot be written.
enableCompileCache(fileURLToPath(new URL('../dist/compiled', import.meta.url)))
