import * as z from 'zod/mini'
import { product } from '../../../shared/products.ts'
import { NotFound } from '../../platform/errors.ts'
import type { Api } from '../../platform/http/api.ts'
import { selectImage } from './images.sql.ts'
import { presentProduct } from './present.ts'
import { selectProducts } from './products.sql.ts'

export function productRoutes(app: Api) {
  app.get(
    '/product',
    {
      config: { access: 'anyone' },
      schema: { tags: ['products'], summary: 'The catalogue', response: { 200: z.array(product) } },
    },
    async (request) => (await selectProducts(request.ctx.db)).map(presentProduct),
  )
}

const ONE_YEAR = 'public, max-age=31536000, immutable'

/** Pictures, outside `/api`: what a hash names never changes, so it is kept for a year. */
export function imageRoutes(app: Api) {
  app.get(
    '/images/:file',
    {
      config: { access: 'anyone' },
      schema: { hide: true, params: z.object({ file: z.string().check(z.regex(/^[0-9a-f]{64}\.webp$/)) }) },
    },
    async (request, reply) => {
      const image = await selectImage(request.ctx.db, request.params.file.slice(0, 64))
      if (!image) throw new NotFound('picture')
      return reply.header('cache-control', ONE_YEAR).type(image.contentType).send(image.bytes)
    },
  )
}
