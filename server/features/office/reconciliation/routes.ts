import { reconciliationEndpoints } from '../../../../shared/reconciliation.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { liftPause } from './lift-pause.ts'
import { readReconciliation } from './read-reconciliation.ts'
import { requestCheck } from './request-check.ts'

export function bookRoutes(app: Api) {
  mount(app, reconciliationEndpoints, {
    'GET /admin/books': ({ ctx }) => readReconciliation(ctx),

    'POST /admin/books/check': async ({ ctx }) => {
      const askedAt = await requestCheck(ctx)
      return { message: 'The books are being checked.', askedAt: askedAt.toISOString() }
    },

    'POST /admin/books/resume': async ({ ctx, body }) => {
      await liftPause(ctx, body)
      return { message: 'Purchases go on.' }
    },
  })
}
