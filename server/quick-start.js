import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Loaded before the shop (`node --import`): what was compiled at the last start is kept beside the built web app, so that
// this start neither strips the types again nor keeps in memory what strips them. Where nothing can be written, it does nothing.
enableCompileCache(fileURLToPath(new URL('../dist/compiled', import.meta.url)))
