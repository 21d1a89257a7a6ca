import * as fc from 'fast-check'
import type { App } from '../../../app.ts'
import { aUser } from '../../../../test/builders.ts'
export const fixture = (app: App) => [app, fc, aUser]
