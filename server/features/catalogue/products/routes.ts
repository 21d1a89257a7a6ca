import * as z from 'zod/mini'
import { type Product, productEndpoints } from '../../../../shared/products.ts'
import { NotFound } from '../../../platform/errors.ts'
import type { Api } from '../../../platform/http/api.ts'
import { compress, keepLatest, send } from '../../../platform/http/compressed.ts'
import { mount } from '../../../platform/http/mount.ts'
import { selectImage } from '../../shop/images/images.sql.ts'
import { readSmallImage } from '../../shop/images/read-small-image.ts'
import { changeProduct } from './change-product.ts'
import { changeProductStatus } from './change-product-status.ts'
import { createProduct } from './create-product.ts'
import { deleteProduct } from './delete-product.ts'
import { presentProduct } from './present.ts'
import { readCatalogue } from './queries.ts'

/** 102,400 bytes of image are 136,536 characters of base64, plus the packages. */
const BODY_WITH_IMAGE_BYTES = 200 * 1024

export function productRoutes(app: Api) {
  const catalogue = keepLatest(async (products: Product[]) => compress(JSON.stringify(products)))

  mount(
    app,
    productEndpoints,
    {
      'GET /product': async ({ ctx, request, reply }) =>
        send(request, reply.type('application/json; charset=utf-8'), await catalogue(await readCatalogue(ctx.db))),

      'POST /product/create': async ({ ctx, body }) => ({ product: presentProduct(await createProduct(ctx, body)) }),

      'PUT /product/:id': async ({ ctx, params, body }) => ({ product: presentProduct(await changeProduct(ctx, params.id, body)) }),

      'PUT /product/:id/status': async ({ ctx, params, body }) => {
        const product = await changeProductStatus(ctx, params.id, body.status)
        return { product: presentProduct(product), status: product.status }
      },

      'DELETE /product/:id': async ({ ctx, params }) => {
        await deleteProduct(ctx, params.id)
        return { message: 'Product deleted successfully' }
      },
    },
    { 'POST /product/create': { bodyLimit: BODY_WITH_IMAGE_BYTES }, 'PUT /product/:id': { bodyLimit: BODY_WITH_IMAGE_BYTES } },
  )
}

const ONE_YEAR = 'public, max-age=31536000, immutable'

/** Pictures, outside `/api`. Their URL contains the content's hash, so they are cached for a year. */
export function imageRoutes(app: Api) {
  app.get(
    '/images/:file',
    {
      config: { access: 'anyone' },
      schema: { hide: true, params: z.object({ file: z.string().check(z.regex(/^[0-9a-f]{64}(?:-360)?\.webp$/)) }) },
    },
    async (request, reply) => {
      const { file } = request.params
      const read = file.length > 64 + '.webp'.length ? readSmallImage : selectImage
      const image = await read(request.ctx.db, file.slice(0, 64))
      if (!image) throw new NotFound('picture')
      return reply.header('cache-control', ONE_YEAR).type(image.contentType).send(image.bytes)
    },
  )
}
