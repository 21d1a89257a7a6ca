import * as z from 'zod/mini'
import { booksReply, checkBooksReply, liftPauseReply, liftPauseRequest } from '../../../shared/books.ts'
import type { Api } from '../../platform/http/api.ts'
import { askForCheck } from './ask-for-check.ts'
import { liftPause } from './lift-pause.ts'
import { readBooks } from './read-books.ts'

const tags = ['admin']

export function bookRoutes(app: Api) {
  app.get(
    '/admin/books',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'What the shop proves about its own books, and whether purchases are paused',
        response: { 200: booksReply },
      },
    },
    async (request) => readBooks(request.ctx),
  )

  app.post(
    '/admin/books/check',
    {
      config: { access: 'admin' },
      schema: { tags, summary: 'Prove all of it now, over all rows', body: z.unknown(), response: { 200: checkBooksReply } },
    },
    async (request) => {
      const askedAt = await askForCheck(request.ctx)
      return { message: 'The books are being checked.', askedAt: askedAt.toISOString() }
    },
  )

  app.post(
    '/admin/books/resume',
    {
      config: { access: 'admin' },
      schema: { tags, summary: 'Let purchases go on, with a reason', body: liftPauseRequest, response: { 200: liftPauseReply } },
    },
    async (request) => {
      await liftPause(request.ctx, request.body)
      return { message: 'Purchases go on.' }
    },
  )
}
