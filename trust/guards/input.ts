import type { Guard } from './guard.ts'

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
    experiment: 'J4',
    runs: 1,
    removed: "`frame-ancestors 'none'`",
    fromProgram: [['server/app.ts', `frameAncestors: ["'none'"],`, `frameAncestors: ["'self'"],`]],
  },
  {
    experiment: 'J7',
    runs: 1,
    removed: 'the most pixels that a picture may have',
    fromProgram: [['server/features/products/encode-image.ts', 'limitInputPixels: MOST_PIXELS', 'limitInputPixels: false']],
  },
  {
    experiment: 'J10',
    runs: 1,
    removed: 'the quote before what a spreadsheet would run',
    fromProgram: [
      ['server/features/export/csv.ts', 'const text = startsFormula(cell) ?', 'const text = startsFormula(cell) && (false as boolean) ?'],
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
    fromProgram: [
      ['server/app.ts', 'connectionTimeout: 20_000,', 'connectionTimeout: 0,'],
      ['server/app.ts', 'requestTimeout: 20_000,', 'requestTimeout: 0,'],
      ['server/app.ts', 'headersTimeout: 15_000', 'headersTimeout: 0'],
    ],
  },
  {
    experiment: 'J15',
    runs: 1,
    removed: 'the leaving out of secrets from addresses in the log',
    fromProgram: [
      [
        'server/platform/log.ts',
        "return url.replace(/(\\/reset-password\\/|\\/supplier\\/webhook\\/)[^/?]+/, '$1[left out]')",
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
        "return new AppError(400, 'INVALID', 'That request could not be read.')",
        "return new AppError(400, 'INVALID', String(error.stack))",
      ],
    ],
  },
]
