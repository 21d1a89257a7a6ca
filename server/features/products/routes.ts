import * as z from 'zod/mini'
import { idParam } from '../../../shared/params.ts'
import {
  changeProductStatusRequest,
  createProductRequest,
  type Product,
  product,
  productReply,
  productStatusReply,
  updateProductRequest,
} from '../../../shared/products.ts'
import { messageReply } from '../../../shared/users.ts'
import { NotFound } from '../../platform/errors.ts'
import type { Api } from '../../platform/http/api.ts'
import { compress, keepLatest, send } from '../../platform/http/compressed.ts'
import { changeProduct, changeProductStatus, createProduct } from './change-product.ts'
import { deleteProduct } from './delete-product.ts'
import { selectImage } from './images.sql.ts'
import { presentProduct } from './present.ts'
import { readCatalogue } from './queries.ts'
import { readSmallImage } from './read-small-image.ts'

const tags = ['products']
/** 102,400 bytes of image are 136,536 characters of base64; the packages come on top. */
const BODY_WITH_IMAGE_BYTES = 200 * 1024

export function productRoutes(app: Api) {
  const catalogue = keepLatest((products: Product[]) => compress(JSON.stringify(products)))

  app.get(
    '/product',
    {
      config: { access: 'anyone' },
      schema: { tags, summary: 'The catalogue', response: { 200: z.array(product) } },
    },
    async (request, reply) =>
      send(request, reply.type('application/json; charset=utf-8'), await catalogue(await readCatalogue(request.ctx.db))),
  )

  app.post(
    '/product/create',
    {
      config: { access: 'admin' },
      bodyLimit: BODY_WITH_IMAGE_BYTES,
      schema: { tags, summary: 'Put a product on the shelf', body: createProductRequest, response: { 200: productReply } },
    },
    async (request) => ({ product: presentProduct(await createProduct(request.ctx, request.body)) }),
  )

  app.put(
    '/product/:id',
    {
      config: { access: 'admin' },
      bodyLimit: BODY_WITH_IMAGE_BYTES,
      schema: {
        tags,
        summary: 'Change a product',
        params: idParam('product'),
        body: updateProductRequest,
        response: { 200: productReply },
      },
    },
    async (request) => ({ product: presentProduct(await changeProduct(request.ctx, request.params.id, request.body)) }),
  )

  app.put(
    '/product/:id/status',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        summary: 'Mark a product available or out of stock',
        params: idParam('product'),
        body: changeProductStatusRequest,
        response: { 200: productStatusReply },
      },
    },
    async (request) => {
      const changed = presentProduct(await changeProductStatus(request.ctx, request.params.id, request.body.status))
      return { product: changed, status: changed.status }
    },
  )

  app.delete(
    '/product/:id',
    {
      config: { access: 'admin' },
      schema: { tags, summary: 'Take a product off the shelf', params: idParam('product'), response: { 200: messageReply } },
    },
    async (request) => {
      await deleteProduct(request.ctx, request.params.id)
      return { message: 'Product deleted successfully' }
    },
  )
}

const ONE_YEAR = 'public, max-age=31536000, immutable'

/** Pictures, outside `/api`: what a hash names never changes, so it is kept for a year. */
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
