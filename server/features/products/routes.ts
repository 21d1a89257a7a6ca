import * as z from 'zod/mini'
import {
  changeProductStatusRequest,
  createProductRequest,
  product,
  productReply,
  productStatusReply,
  updateProductRequest,
} from '../../../shared/products.ts'
import { messageReply } from '../../../shared/users.ts'
import { NotFound } from '../../platform/errors.ts'
import type { Api } from '../../platform/http/api.ts'
import { idParam } from '../../platform/http/params.ts'
import { deleteProduct } from './delete-product.ts'
import { selectImage } from './images.sql.ts'
import { presentProduct } from './present.ts'
import { selectProducts } from './products.sql.ts'
import { changeProduct, changeProductStatus, createProduct } from './save-product.ts'

const tags = ['products']
/** 102,400 bytes of image are 136,536 characters of base64; the packages come on top. */
const BODY_WITH_IMAGE_BYTES = 200 * 1024

export function productRoutes(app: Api) {
  app.get(
    '/product',
    {
      config: { access: 'anyone' },
      schema: { tags, summary: 'The catalogue', response: { 200: z.array(product) } },
    },
    async (request) => (await selectProducts(request.ctx.db)).map(presentProduct),
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
      schema: { hide: true, params: z.object({ file: z.string().check(z.regex(/^[0-9a-f]{64}\.webp$/)) }) },
    },
    async (request, reply) => {
      const image = await selectImage(request.ctx.db, request.params.file.slice(0, 64))
      if (!image) throw new NotFound('picture')
      return reply.header('cache-control', ONE_YEAR).type(image.contentType).send(image.bytes)
    },
  )
}
