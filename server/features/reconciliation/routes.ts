import { reconciliationEndpoints } from '../../../shared/books.ts'
import type { Api } from '../../platform/http/api.ts'
import { mount } from '../../platform/http/mount.ts'
import { askForCheck } from './ask-for-check.ts'
import { liftPause } from './lift-pause.ts'
import { readBooks } from './read-books.ts'

export function bookRoutes(app: Api) {
  mount(app, reconciliationEndpoints, {
    'GET /admin/books': ({ ctx }) => readBooks(ctx),

    'POST /admin/books/check': async ({ ctx }) => {
      const askedAt = await askForCheck(ctx)
      return { message: 'The books are being checked.', askedAt: askedAt.toISOString() }
    },

    'POST /admin/books/resume': async ({ ctx, body }) => {
      await liftPause(ctx, body)
      return { message: 'Purchases go on.' }
    },
  })
}
