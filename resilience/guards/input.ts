import type * as FastifyTypeProviderZodModule from 'fastify-type-provider-zod'
import pg from 'pg'
import type * as SharpModule from 'sharp'
import * as z from 'zod/mini'
import type * as PresentModule from '../../server/features/catalogue/products/present.ts'
import type * as ProductsSqlModule from '../../server/features/catalogue/products/products.sql.ts'
import type * as ListAllOrdersModule from '../../server/features/orders/orders/list-all-orders.ts'
import type * as UsersSqlModule from '../../server/features/people/users/users.sql.ts'
import type * as DbModule from '../../server/platform/db.ts'
import type * as ErrorRepliesModule from '../../server/platform/http/error-replies.ts'
import type * as JsonBodiesModule from '../../server/platform/http/json-bodies.ts'
import type * as HttpListsModule from '../../server/platform/http/lists.ts'
import type * as LogModule from '../../server/platform/log.ts'
import type * as CsvModule from '../../shared/csv.ts'
import type * as ListsModule from '../../shared/lists.ts'
import type * as MoneyModule from '../../shared/money.ts'
import type * as OffersModule from '../../shared/offers.ts'
import type * as ProductsModule from '../../shared/products.ts'
import type * as ReadAmountModule from '../../shared/readers/read-amount.ts'
import {
  beforeEach,
  changeFastify,
  type Guard,
  guard,
  inModule,
  type Replacement,
  replace,
  replaceInWeb,
  withEndpoint,
  wrapFunction,
} from './guard.ts'

type Money = typeof MoneyModule
type Products = typeof ProductsModule
type Lists = typeof ListsModule
type Sharp = typeof SharpModule.default

const NO_TIME_LIMITS = changeFastify({
  options: (given) => ({ ...given, connectionTimeout: 0, requestTimeout: 0, http: { ...given.http, headersTimeout: 0 } }),
})

/** The library for pictures, of which `handler` changes something. */
const changeSharp = (handler: ProxyHandler<Sharp>): Replacement =>
  replace<{ default: Sharp }>('sharp', { default: ({ default: sharp }) => new Proxy(sharp, handler) })

/** F, J. Arithmetic and input. */
export const inputGuards: Guard[] = [
  guard('F1', 100_000, 'whole numbers (the surcharge by `price * 1.03`)', {
    apart: true,
    replaced: [replace<Money>('../../shared/money.ts', { withCardSurcharge: () => (price) => Math.round((price / 100) * 1.03 * 100) })],
  }),
  guard('F2', 20, "that an order's part of the surcharge depends on the parts before it (each is rounded by itself)", {
    fromDatabase: async (db) => {
      await wrapFunction(
        db,
        'place_wallet_orders',
        (original) => `begin
          perform set_config('unguarded.surcharge', p_surcharge::text, true),
            set_config('unguarded.total', (select sum((line ->> 'seen')::bigint)::text from jsonb_array_elements(p_items) line), true);
          return ${original()};
        end`,
      )
      await beforeEach(
        db,
        'insert',
        'orders',
        `new.surcharge_pesewas :=
          current_setting('unguarded.surcharge')::bigint * new.price_pesewas / current_setting('unguarded.total')::bigint;`,
      )
    },
  }),
  guard('F3', 1_000, 'the form of an amount (whatever Number takes)', {
    apart: true,
    replaced: [
      inModule<typeof ReadAmountModule>('../../shared/readers/read-amount.ts').wrap('pesewasIn', (pesewasIn, text) =>
        Number.isFinite(Number(text)) ? Math.round(Number(text) * 100) : pesewasIn(text),
      ),
    ],
  }),
  guard('F4', 1, 'that no amount is turned into text and back (one is)', {
    apart: true,
    planted: { 'shared/planted.ts': 'export const toCedis = (pesewas: number) => Number.parseFloat((pesewas / 100).toFixed(2))\n' },
  }),
  guard('F5', 4, 'the refusal of a number that cannot be read exactly', {
    apart: true,
    replaced: [
      inModule<typeof DbModule>('../../server/platform/db.ts').wrap('openPool', (openPool, options) => {
        pg.types.setTypeParser(pg.types.builtins.INT8, Number)
        return openPool(options)
      }),
    ],
  }),
  guard('F6', 12, 'that a gigabyte is 1000 megabytes, as suppliers count', {
    apart: true,
    replaced: [
      inModule<typeof OffersModule>('../../shared/offers.ts').wrap('offerVolumeMb', (offerVolumeMb, offer) => {
        const volumeMb = offerVolumeMb(offer)
        return volumeMb !== null && /gb/i.test(offer) ? volumeMb * 1.024 : volumeMb
      }),
    ],
  }),
  guard('F6', 12, 'that an offer may have no volume', {
    apart: true,
    replaced: [
      inModule<typeof OffersModule>('../../shared/offers.ts').wrap(
        'offerVolumeMb',
        (offerVolumeMb, offer) => offerVolumeMb(offer) ?? Number.NaN,
      ),
    ],
  }),
  guard('J1', 1, 'that no address from outside is called (/proxy calls the one that it is sent)', {
    replaced: [
      changeFastify({
        prepare(app) {
          app.addHook('preValidation', async ({ url, body }) => {
            const sent = JSON.stringify(body ?? '').match(/https?:[^"\\]+/)
            if (url.endsWith('/proxy') && sent) await fetch(sent[0]).catch(() => null)
          })
        },
      }),
    ],
  }),
  guard('J2', 1, 'the parameter in the search for users (the text is put into the statement)', {
    replaced: [
      inModule<typeof UsersSqlModule>('../../server/features/people/users/users.sql.ts').wrap(
        'selectUsers',
        async (selectUsers, db, page) => {
          await db.query(`select from users where username ilike '%${page.search}%'`)
          return selectUsers(db, page)
        },
      ),
    ],
  }),
  guard('J2', 1, 'that % and _ in a search stand for themselves', {
    replaced: [
      replace<typeof HttpListsModule>('../../server/platform/http/lists.ts', {
        likePattern: () => (search) => `%${search}%`,
        likePatterns:
          ({ likePatterns }) =>
          (search) =>
            likePatterns(search)?.map((pattern) => pattern.replace(/\\([\\%_])/g, '$1')) ?? null,
      }),
    ],
  }),
  guard('J3', 1, 'that the notice is text (it is put into the page as markup)', {
    replaced: [
      replaceInWeb('../../web/features/shop/notice/notice-dialog.tsx', {
        default:
          ({ default: NoticeDialog }) =>
          (given: { text: string }) => {
            const dialog = NoticeDialog(given)
            const paragraph = dialog.props.children
            const props = { className: paragraph.props.className, dangerouslySetInnerHTML: { __html: given.text } }
            return { ...dialog, props: { ...dialog.props, children: { ...paragraph, props } } }
          },
      }),
    ],
  }),
  guard('J4', 1, "`frame-ancestors 'none'`", {
    replaced: [
      changeFastify({
        prepare(app) {
          app.addHook('onSend', async (_request, reply) => {
            const policy = reply.getHeader('content-security-policy')
            if (policy)
              void reply.header('content-security-policy', String(policy).replace(/frame-ancestors[^;]*/, "frame-ancestors 'self'"))
          })
        },
      }),
    ],
  }),
  guard('J5', 1, 'that only some kinds of picture are read', {
    replaced: [changeSharp({ get: (target, name) => (name === 'block' ? () => {} : Reflect.get(target, name)) })],
  }),
  guard('J6', 1, 'the most bytes of a picture', {
    replaced: [
      replace<Products>('../../shared/products.ts', {
        productEndpoints: ({ productEndpoints, updateProductRequest: { shape } }) =>
          withEndpoint(productEndpoints, 'POST /product/create', {
            body: z.object({ ...shape, image: z.string(), status: z._default(shape.status, 'available') }),
          }),
      }),
    ],
  }),
  guard('J7', 1, 'the most pixels that a picture may have', {
    replaced: [changeSharp({ apply: (target, _this, [source, options]) => target(source, { ...options, limitInputPixels: false }) })],
  }),
  guard('J8', 1, 'that only the pixels of a picture are stored', {
    replaced: [changeSharp({ apply: (target, _this, [source, options]) => target(source, options).keepExif() })],
  }),
  guard('J9', 50, 'that pictures have addresses of their own (the list holds them)', {
    replaced: [
      inModule<typeof ProductsSqlModule>('../../server/features/catalogue/products/products.sql.ts').wrap(
        'selectProducts',
        async (selectProducts, db) => {
          const { rows } = await db.query<{ hash: string; picture: string }>(
            "select hash, 'data:image/webp;base64,' || encode(bytes, 'base64') as picture from images",
          )
          const pictures = new Map(rows.map(({ hash, picture }) => [hash, picture]))
          return (await selectProducts(db)).map((product) => ({ ...product, picture: pictures.get(product.imageHash) }))
        },
      ),
      inModule<typeof PresentModule>('../../server/features/catalogue/products/present.ts').wrap(
        'presentProduct',
        (presentProduct, row) => ({
          ...presentProduct(row),
          image: (row as typeof row & { picture: string }).picture,
        }),
      ),
    ],
  }),
  guard('J10', 1, 'the quote before what a spreadsheet would run', {
    replaced: [
      replace<typeof CsvModule>('../../shared/csv.ts', {
        csvLine:
          ({ csvLine }) =>
          (cells) =>
            csvLine(cells).replace(/(^|[,"])'/g, '$1'),
      }),
    ],
  }),
  guard('J11', 1, 'the content type of a body (anything is read as JSON)', {
    replaced: [
      inModule<typeof JsonBodiesModule>('../../server/platform/http/json-bodies.ts').wrap(
        'registerJsonBodies',
        (registerJsonBodies, app) => {
          registerJsonBodies(app)
          app.removeContentTypeParser('*')
          app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, JSON.parse(String(body))))
        },
      ),
    ],
  }),
  guard('J12', 50, 'the time within which a request must arrive', { replaced: [NO_TIME_LIMITS] }),
  guard('J13', 1, 'that no expression backtracks over a search (one that does is put in)', {
    replaced: [
      replace<Lists>('../../shared/lists.ts', {
        listQuery: ({ listQuery }) =>
          z.extend(listQuery, { search: z.optional(z.string().check(z.maxLength(100), z.regex(/^(?:[\w %]+){1,5}$/))) }),
      }),
    ],
  }),
  guard('J14', 1, 'that a page is a whole number from 1', {
    replaced: [
      replace<Lists>('../../shared/lists.ts', {
        listQuery: ({ listQuery }) => z.extend(listQuery, { page: z.optional(z.coerce.number()) }),
      }),
    ],
  }),
  guard('J15', 1, 'that secrets in addresses are left out of the log', {
    replaced: [
      inModule<typeof LogModule>('../../server/platform/log.ts').wrap('createLog', (createLog, ...given) =>
        createLog(...given).child({}, { serializers: { req: ({ method, url }) => ({ method, url }) } }),
      ),
    ],
  }),
  guard('J16', 100, "the sentence in place of an error's own words", {
    replaced: [
      inModule<typeof ErrorRepliesModule>('../../server/platform/http/error-replies.ts').wrap(
        'sendError',
        (sendError, error, request, reply) =>
          error.statusCode === 400
            ? reply.code(400).send({ message: String(error.stack), code: 'INVALID' })
            : sendError(error, request, reply),
      ),
    ],
  }),
  guard('J17', 500, 'the validation of bodies', {
    replaced: [
      replace<typeof FastifyTypeProviderZodModule>('fastify-type-provider-zod', {
        validatorCompiler: () => () => (value: unknown) => ({ value }),
      }),
    ],
  }),
  guard('J18', 1, "Node's refusal of a request with two lengths", {
    replaced: [changeFastify({ options: (given) => ({ ...given, http: { ...given.http, insecureHTTPParser: true } }) })],
  }),
  guard('J19', 1, 'that other origins may not read replies (any may)', {
    replaced: [
      changeFastify({
        prepare(app) {
          app.addHook('onSend', async ({ headers }, reply) => {
            void reply.header('access-control-allow-origin', headers.origin ?? '*')
          })
        },
      }),
    ],
  }),
  guard('J21', 1, 'the parameter in the search for orders (the text is put into the statement)', {
    replaced: [
      inModule<typeof ListAllOrdersModule>('../../server/features/orders/orders/list-all-orders.ts').wrap(
        'listAllOrders',
        async (listAllOrders, db, filter) => {
          if (filter.search === null) return listAllOrders(db, filter)
          const { selectOrdersBySeq } = await import('../../server/features/orders/orders/orders.sql.ts')
          const { rows } = await db.query<{ seq: number }>(`select seq from orders where offer ilike '%${filter.search}%'`)
          const found = rows.map(({ seq }) => seq)
          return { orders: await selectOrdersBySeq(db, found.slice(filter.offset, filter.offset + filter.limit)), total: found.length }
        },
      ),
    ],
  }),
  guard('J22', 1, 'the time within which a request must arrive', { replaced: [NO_TIME_LIMITS] }),
  guard('J23', 1, 'that no regular expression is slow for some texts (one that is, is put in)', {
    apart: true,
    planted: { 'shared/planted.ts': 'export const isSentence = (text: string) => /^(?:[a-z]+ ?)+\\.$/.test(text)\n' },
  }),
]
