import { defineConfig } from '@playwright/test'
import usual from './playwright.config.ts'

/** Browser tests that take long and of which the server's tests hold the most part: `npm run test:long`. */
export default defineConfig({ ...usual, grep: /@long/, grepInvert: [] })
