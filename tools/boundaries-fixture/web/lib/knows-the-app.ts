// breaks: web-ui-and-lib-know-no-feature
import type { Routes } from '../app/router.tsx'
export type Screens = typeof Routes
