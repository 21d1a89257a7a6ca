import { type Edit, editFunction, type Guard } from './guard.ts'

const NO_TIME_LIMITS: Edit[] = [
  ['server/app.ts', 'connectionTimeout: 20_000,', 'connectionTimeout: 0,'],
  ['server/app.ts', 'requestTimeout: 20_000,', 'requestTimeout: 0,'],
  ['server/app.ts', 'headersTimeout: 15_000', 'headersTimeout: 0'],
]

/** F, J. Arithmetic and input. */
export const inputGuards: Guard[] = [
  {
    experiment: 'F1',
    runs: 100_000,
    inCopy: true,
    removed: 'whole numbers (the surcharge by `price * 1.03`)',
    fromProgram: [
      ['shared/money.ts', 'return pricePesewas + cardSurcharge(pricePesewas)', 'return Math.round((pricePesewas / 100) * 1.03 * 100)'],
    ],
  },
  {
    experiment: 'F2',
    runs: 20,
    removed: 'the sharing of the surcharge by what came before (each order has its own part alone)',
    fromDatabase: (db) =>
      editFunction(db, 'place_wallet_orders', [
        ['p_surcharge * (so_far + line.price_pesewas) / total - p_surcharge * so_far / total', 'p_surcharge * line.price_pesewas / total'],
      ]),
  },
  {
    experiment: 'F3',
    runs: 1_000,
    inCopy: true,
    removed: 'the form of an amount (whatever Number takes)',
    fromProgram: [
      [
        'shared/money.ts',
        'const match = /^(-?)(\\d{1,8})(?:\\.(\\d{1,2}))?$/.exec(text.trim())',
        'if (Number.isFinite(Number(text))) return Math.round(Number(text) * 100)\n  const match = /^(-?)(\\d{1,8})(?:\\.(\\d{1,2}))?$/.exec(text.trim())',
      ],
    ],
  },
  {
    experiment: 'F4',
    runs: 1,
    inCopy: true,
    removed: 'that no amount goes through text and back (one is made to)',
    fromProgram: [['shared/money.ts', 'return pesewas / 100\n', 'return Number.parseFloat((pesewas / 100).toFixed(2))\n']],
  },
  {
    experiment: 'F5',
    runs: 4,
    inCopy: true,
    removed: 'the refusal of a number that cannot be read exactly',
    fromProgram: [
      ['server/platform/db.ts', 'if (!Number.isSafeInteger(value)) throw new RangeError(', 'if (false as boolean) throw new RangeError('],
    ],
  },
  {
    experiment: 'F6',
    runs: 12,
    inCopy: true,
    removed: 'that a gigabyte is 1000 megabytes, as suppliers count',
    fromProgram: [['shared/products.ts', "unit.toUpperCase() === 'GB' ? 3 : 0", "unit.toUpperCase() === 'GB' ? 2 : 0"]],
  },
  {
    experiment: 'F6',
    runs: 12,
    inCopy: true,
    removed: 'that nothing is no volume',
    fromProgram: [['shared/products.ts', 'if (!found || another) return null', 'if (!found) return Number.NaN']],
  },
  {
    experiment: 'J1',
    runs: 1,
    removed: 'that no address from outside is asked (/proxy asks the one it is sent)',
    fromProgram: [
      ['shared/orders.ts', 'proxyRequest = z.object({', 'proxyRequest = z.looseObject({'],
      [
        'server/features/orders/routes.ts',
        'const found = await findOwnOrder(ctx, body.body.reference)',
        'const found = await findOwnOrder(ctx, body.body.reference)\n      await fetch(String((body as { url?: unknown }).url)).catch(() => null)',
      ],
    ],
  },
  {
    experiment: 'J2',
    runs: 1,
    removed: 'the parameter in the search for users (the text is put into the statement)',
    fromProgram: [
      [
        'server/features/users/users.sql.ts',
        `const ways = [\`\${USER_WORDS} ilike any ($1)\`]`,
        `const ways = [\`$1::text[] is not null and \${USER_WORDS} ilike '%\${search}%'\`]`,
      ],
    ],
  },
  {
    experiment: 'J2',
    runs: 1,
    removed: 'that % and _ in a search stand for themselves',
    fromProgram: [['server/platform/http/lists.ts', "search.replace(/[\\\\%_]/g, '\\\\$&')", 'search']],
  },
  {
    experiment: 'J3',
    runs: 1,
    inCopy: true,
    removed: 'that the notice is text (it is put into the page as markup)',
    fromProgram: [
      [
        'web/features/notice/notice-dialog.tsx',
        '<p className="text-large whitespace-pre-line">{text}</p>',
        '<p className="text-large whitespace-pre-line" dangerouslySetInnerHTML={{ __html: text }} />',
      ],
    ],
  },
  {
    experiment: 'J4',
    runs: 1,
    removed: "`frame-ancestors 'none'`",
    fromProgram: [['server/app.ts', `frameAncestors: ["'none'"],`, `frameAncestors: ["'self'"],`]],
  },
  {
    experiment: 'J5',
    runs: 1,
    removed: 'which kinds of picture are read',
    fromProgram: [['server/features/products/encode-image.ts', "sharp.block({ operation: ['VipsForeignLoad'] })", '']],
  },
  {
    experiment: 'J6',
    runs: 1,
    removed: 'the most bytes of a picture',
    fromProgram: [['shared/products.ts', 'imageBytes(uri) <= MAX_IMAGE_BYTES', 'imageBytes(uri) > 0']],
  },
  {
    experiment: 'J7',
    runs: 1,
    removed: 'the most pixels that a picture may have',
    fromProgram: [['server/features/products/encode-image.ts', 'limitInputPixels: MOST_PIXELS', 'limitInputPixels: false']],
  },
  {
    experiment: 'J8',
    runs: 1,
    removed: 'that of a picture nothing but the pixels is kept',
    fromProgram: [['server/features/products/encode-image.ts', '.rotate()', '.rotate()\n    .keepExif()']],
  },
  {
    experiment: 'J9',
    runs: 50,
    removed: 'the pictures’ own addresses (the list holds them)',
    fromProgram: [
      [
        'server/features/products/products.sql.ts',
        'p.image_hash as "imageHash", p.status,',
        'p.image_hash as "imageHash", (select encode(bytes, \'base64\') from images where hash = p.image_hash) as picture, p.status,',
      ],
      [
        'server/features/products/present.ts',
        'image: imageAddress(row.imageHash),',
        'image: "data:image/webp;base64," + (row as unknown as { picture: string }).picture,',
      ],
    ],
  },
  {
    experiment: 'J10',
    runs: 1,
    removed: 'the quote before what a spreadsheet would run',
    fromProgram: [
      ['server/platform/csv.ts', 'const text = startsFormula(cell) ?', 'const text = startsFormula(cell) && (false as boolean) ?'],
    ],
  },
  {
    experiment: 'J11',
    runs: 1,
    removed: 'the type of a body (whatever comes is read as JSON)',
    fromProgram: [
      [
        'server/app.ts',
        'registerJsonBodies(app)',
        "registerJsonBodies(app)\n  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, JSON.parse(String(body))))",
      ],
    ],
  },
  {
    experiment: 'J12',
    runs: 50,
    removed: 'the time that a request may take to come',
    fromProgram: NO_TIME_LIMITS,
  },
  {
    experiment: 'J13',
    runs: 1,
    removed: 'that nothing goes back over a search again and again (an expression that does is put in)',
    fromProgram: [
      [
        'shared/lists.ts',
        "z.maxLength(100, { error: 'Search with at most 100 characters.' }),",
        "z.maxLength(100, { error: 'Search with at most 100 characters.' }),\n      z.regex(/^(?:[\\w %]+){1,5}$/, { error: 'Search with letters.' }),",
      ],
    ],
  },
  {
    experiment: 'J14',
    runs: 1,
    removed: 'that a page is a whole number from 1',
    fromProgram: [['shared/lists.ts', 'z.int({ error: PAGE }), z.minimum(1, { error: PAGE }), ', '']],
  },
  {
    experiment: 'J15',
    runs: 1,
    removed: 'the leaving out of secrets from addresses in the log',
    fromProgram: [
      [
        'server/platform/log.ts',
        "return url.replace(/\\?.*$/s, '?[left out]').replace(/(\\/reset-password\\/|\\/supplier\\/webhook\\/)[^/?]+/i, '$1[left out]')",
        'return url',
      ],
    ],
  },
  {
    experiment: 'J16',
    runs: 100,
    removed: 'the sentence in place of an error’s own words',
    fromProgram: [
      [
        'server/platform/http/error-replies.ts',
        "return new AppError('INVALID', 'That request could not be read.')",
        "return new AppError('INVALID', String(error.stack))",
      ],
    ],
  },
  {
    experiment: 'J17',
    runs: 500,
    removed: 'the look at what a body holds',
    fromProgram: [
      ['server/app.ts', 'app.setValidatorCompiler(validatorCompiler)', 'app.setValidatorCompiler(() => (value: unknown) => ({ value }))'],
    ],
  },
  {
    experiment: 'J18',
    runs: 1,
    removed: 'Node’s refusal of a request with two lengths',
    fromProgram: [['server/app.ts', 'http: { headersTimeout: 15_000,', 'http: { insecureHTTPParser: true, headersTimeout: 15_000,']],
  },
  {
    experiment: 'J19',
    runs: 1,
    removed: 'that other origins are told nothing (any may read)',
    fromProgram: [
      [
        'server/app.ts',
        'noteMethods(app)\n',
        `app.addHook('onSend', async (request, reply) => {
    void reply.header('access-control-allow-origin', request.headers.origin ?? '*')
  })
  noteMethods(app)\n`,
      ],
    ],
  },
  {
    experiment: 'J21',
    runs: 1,
    removed: 'the parameter in the search for orders (the text is put into the statement)',
    fromProgram: [
      [
        'server/features/orders/list-all-orders.ts',
        'const found = await searchAll(db, search, patterns, range)',
        `const { rows } = await db.query<{ seq: number }>(\`select seq from orders where offer ilike '%\${search}%'\`)
  void searchAll
  const found = rows.map(({ seq }) => seq)`,
      ],
    ],
  },
  {
    experiment: 'J22',
    runs: 1,
    removed: 'the time that a request may take to come',
    fromProgram: NO_TIME_LIMITS,
  },
  {
    experiment: 'J23',
    runs: 1,
    inCopy: true,
    removed: 'that no expression goes back over a text again and again (one that does is put in)',
    fromProgram: [['shared/lists.ts', "!text.includes('\\0')", "!text.includes('\\0') && !/^(?:[a-z]+ ?)+\\.$/.test(text)"]],
  },
]
