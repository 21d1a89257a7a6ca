// breaks: layers-nothing-above-features
import type { App } from '../../../app.ts'
export const close = (app: App) => app.close()
