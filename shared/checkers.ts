import * as z from 'zod/mini'
import { MAX_CHECKER_LINES } from './checker-rules.ts'
import { endpoints, idParam, messageReply } from './endpoint.ts'
import { phone, positiveCedis, tidy } from './fields.ts'
import { listQuery } from './lists.ts'
import { orderParams } from './orders.ts'
import { offerName } from './products.ts'
import { ANSWERS_REPORTS, SEES_COSTS } from './staff-rules.ts'

/** A code that somebody bought. `portal` is the page where it is used; a `replaced` one does not work, and another is in the list for it. */
export const ownChecker = z.object({ name: z.string(), portal: z.string(), serial: z.string(), pin: z.string(), replaced: z.boolean() })
export type OwnChecker = z.output<typeof ownChecker>
const checkersReply = z.object({ checkers: z.array(ownChecker) })

const BY = { error: 'Choose SMS or e-mail.' }
const REASON = { error: 'Say why in 3 to 300 characters.' }
const reason = z.string(REASON).check(tidy(), z.minLength(3, REASON), z.maxLength(300, REASON))

const KIND = { error: 'Choose a kind from the list.' }
const kind = z.string(KIND).check(z.regex(/^[a-z0-9][a-z0-9-]{1,29}$/, KIND))
const LINES = { error: `Send 1 to ${MAX_CHECKER_LINES.toLocaleString('en')} lines.` }
const part = z.string({ error: 'A serial and a PIN are text, not numbers.' }).check(tidy(), z.maxLength(40, { error: 'That is too long.' }))
const lines = z.array(z.object({ serial: part, pin: part }), LINES).check(z.minLength(1, LINES), z.maxLength(MAX_CHECKER_LINES, LINES))
const DISTRIBUTOR = { error: 'Name the distributor in 2 to 60 characters.' }

/** Somebody has looked at PINs that are shorter or longer than most: they are right as they are written. */
const asWritten = z.optional(z.boolean())
const checkRequest = z.object({ kind, lines, asWritten })
/** Of each line sent, in their order: whether it can go into the stock, or why not. */
export const LINE_STATES = ['good', 'malformed', 'twice', 'in-stock', 'sold'] as const
const lineState = z.object({ state: z.enum(LINE_STATES), problem: z.nullable(z.string()) })
export type CheckerLineState = z.output<typeof lineState>

const importRequest = z.object({
  kind,
  distributor: z.string(DISTRIBUTOR).check(tidy(), z.minLength(2, DISTRIBUTOR), z.maxLength(60, DISTRIBUTOR)),
  fileName: z.optional(z.string().check(z.maxLength(120, { error: 'That name is too long.' }))),
  /** What one code cost, in cedis. */
  unitCost: positiveCedis.check(z.refine((value) => value <= 100_000, { error: 'A code costs at most GHS 100,000.' })),
  lines,
  asWritten,
})
export type ImportCheckersRequest = z.output<typeof importRequest>

/** A kind of codes: how many there are to sell and what they cost, and what is left at the least before the owner is told. Amounts in cedis. */
const checkerKind = z.object({
  kind: z.string(),
  name: z.string(),
  portal: z.string(),
  lowStock: z.number(),
  inStock: z.number(),
  value: z.number(),
  sold: z.number(),
  soldWeek: z.number(),
  replaced: z.number(),
})
export type CheckerKind = z.output<typeof checkerKind>
/** A package of the checkers' products, and of which kind its buyer gets how many; `kind` null where orders are processed by hand. */
const checkerPackage = z.object({
  productId: z.string(),
  offer: z.string(),
  hidden: z.boolean(),
  kind: z.nullable(z.string()),
  units: z.number(),
})
export type CheckerPackage = z.output<typeof checkerPackage>
const checkerImport = z.object({
  _id: z.string(),
  number: z.string(),
  kind: z.string(),
  distributor: z.string(),
  fileName: z.string(),
  unitCost: z.number(),
  codes: z.number(),
  sold: z.number(),
  voided: z.number(),
  importedBy: z.nullable(z.string()),
  importedAt: z.string(),
  takenBackAt: z.nullable(z.string()),
})
export type CheckerImport = z.output<typeof checkerImport>
/** `ready`: the shop has a key to encrypt codes with. */
const stockReply = z.object({
  ready: z.boolean(),
  kinds: z.array(checkerKind),
  packages: z.array(checkerPackage),
  imports: z.array(checkerImport),
})
export type CheckerStock = z.output<typeof stockReply>

/** A code of an import, masked. `order` is the number of the order that it was sold with; `reason` and `by` are of a voided one. */
const importedChecker = z.object({
  _id: z.string(),
  serialEnd: z.string(),
  state: z.enum(['in-stock', 'sold', 'voided', 'taken-back']),
  order: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  by: z.nullable(z.string()),
})
export type ImportedChecker = z.output<typeof importedChecker>

const NAME = { error: 'A name has 2 to 30 characters.' }
const PORTAL = { error: 'The address begins with https:// and has at most 100 characters.' }
const LOW = { error: 'A number from 0 to 100,000.' }
const kindRequest = z.object({
  name: z.string(NAME).check(tidy(), z.minLength(2, NAME), z.maxLength(30, NAME)),
  portal: z.string(PORTAL).check(tidy(), z.maxLength(100, PORTAL), z.regex(/^https:\/\/[a-z0-9.-]+(?:\/\S*)?$/, PORTAL)),
  lowStock: z.number(LOW).check(z.int(LOW), z.minimum(0, LOW), z.maximum(100_000, LOW)),
})
export type ChangeCheckerKind = z.output<typeof kindRequest>

const UNITS = { error: 'A buyer gets 1 to 10 codes.' }
const packageRequest = z.object({
  productId: z.uuid({ error: 'That product does not exist.' }),
  offer: offerName,
  kind: z.nullable(kind),
  units: z.number(UNITS).check(z.int(UNITS), z.minimum(1, UNITS), z.maximum(10, UNITS)),
})
export type ChangeCheckerPackage = z.output<typeof packageRequest>

/** A sold code as staff see it: of its serial the end alone. `replaces` is the id of the faulty one in whose place it was given. */
const soldChecker = z.object({
  _id: z.string(),
  name: z.string(),
  serialEnd: z.string(),
  soldAt: z.string(),
  replaces: z.nullable(z.string()),
  fault: z.nullable(z.string()),
})
export type SoldChecker = z.output<typeof soldChecker>
const soldReply = z.object({ checkers: z.array(soldChecker) })

const guestOrderParams = z.object({
  reference: z.string().check(z.regex(/^[A-Za-z0-9]{16,24}$/, { error: 'That order does not exist.' })),
})

const codeParams = z.object({ code: z.string().check(z.regex(/^[0-9]{1,15}$/, { error: 'That code does not exist.' })) })

export const checkerEndpoints = endpoints({
  'GET /order/:id/checkers': {
    id: 'readOwnCheckers',
    tag: 'orders',
    summary: "The serials and PINs of one's own order of checkers",
    access: 'signed-in',
    params: orderParams,
    reply: checkersReply,
    errors: ['NOT_FOUND'],
  },
  'POST /order/:id/checkers/send': {
    id: 'sendOwnCheckers',
    tag: 'orders',
    summary: "Have the serials and PINs of one's own order sent again, by SMS to its receiver or by e-mail",
    access: 'signed-in',
    params: orderParams,
    body: z.object({ by: z.enum(['sms', 'email'], BY) }),
    reply: messageReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'POST /track/:reference/checkers': {
    id: 'readGuestCheckers',
    tag: 'agent-shops',
    summary:
      "The serials and PINs of a guest's order in the browser that paid, by the reference in its link and the number that it was bought with",
    access: 'anyone',
    params: guestOrderParams,
    body: z.object({ phoneNumber: phone }),
    reply: checkersReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'POST /track/:reference/checkers/send': {
    id: 'sendGuestCheckers',
    tag: 'agent-shops',
    summary:
      "Have the serials and PINs of a guest's order sent to its receiver by SMS again, by its link and the number that it was bought with",
    access: 'anyone',
    params: guestOrderParams,
    body: z.object({ phoneNumber: phone }),
    reply: messageReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'GET /admin/checkers': {
    id: 'readCheckerStock',
    tag: 'admin',
    summary: 'The stock of checkers by kind, which packages are sold from it, and the newest hundred imports',
    access: SEES_COSTS,
    reply: stockReply,
  },
  'POST /admin/checkers/check': {
    id: 'checkCheckerLines',
    tag: 'admin',
    summary: 'Which lines of a file of checkers could be imported; nothing is kept',
    access: SEES_COSTS,
    body: checkRequest,
    reply: z.object({ lines: z.array(lineState) }),
    errors: ['CONFLICT'],
  },
  'POST /admin/checkers/imports': {
    id: 'importCheckers',
    tag: 'admin',
    summary: 'Put checkers into the stock, all lines or none',
    access: SEES_COSTS,
    body: importRequest,
    reply: z.object({ number: z.string(), codes: z.number() }),
    errors: ['CONFLICT', 'TAKEN', 'SECOND_FACTOR_NEEDED'],
  },
  'POST /admin/checkers/imports/:id/take-back': {
    id: 'takeBackCheckers',
    tag: 'admin',
    summary: 'Take an import out of the stock as long as nothing of it is sold',
    access: SEES_COSTS,
    params: idParam('import'),
    reply: messageReply,
    errors: ['NOT_FOUND', 'CONFLICT', 'ALREADY_DECIDED', 'SECOND_FACTOR_NEEDED'],
  },
  'GET /admin/checkers/imports/:id/codes': {
    id: 'listCheckersOfImport',
    tag: 'admin',
    summary: 'The codes of an import, masked; `search` finds the end of a serial',
    access: SEES_COSTS,
    params: idParam('import'),
    query: listQuery,
    reply: z.array(importedChecker),
    list: true,
    errors: ['NOT_FOUND'],
  },
  'POST /admin/checker-codes/:code/void': {
    id: 'voidChecker',
    tag: 'admin',
    summary: 'Take one code that nobody has bought out of the stock, and book it as a loss',
    access: SEES_COSTS,
    params: codeParams,
    body: z.object({ reason }),
    reply: messageReply,
    errors: ['NOT_FOUND', 'CONFLICT', 'ALREADY_DECIDED', 'SECOND_FACTOR_NEEDED'],
  },
  'PUT /admin/checkers/kinds/:kind': {
    id: 'changeCheckerKind',
    tag: 'admin',
    summary: 'Change the name of a kind of checkers, its portal, and when the owner is told that few are left',
    access: SEES_COSTS,
    params: z.object({ kind }),
    body: kindRequest,
    reply: messageReply,
    errors: ['NOT_FOUND'],
  },
  'PUT /admin/checkers/packages': {
    id: 'changeCheckerPackage',
    tag: 'admin',
    summary: 'Sell a package from the stock of a kind, or by hand',
    access: SEES_COSTS,
    body: packageRequest,
    reply: messageReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'GET /admin/order/:id/checkers': {
    id: 'listSoldCheckers',
    tag: 'admin',
    summary: 'The codes of an order, masked',
    access: ANSWERS_REPORTS,
    params: orderParams,
    reply: soldReply,
    errors: ['NOT_FOUND'],
  },
  'POST /admin/order/:id/checkers/reveal': {
    id: 'revealCheckers',
    tag: 'admin',
    summary: 'The serials and PINs of an order; who looked, and why, is recorded',
    access: ANSWERS_REPORTS,
    params: orderParams,
    body: z.object({ reason }),
    reply: checkersReply,
    errors: ['NOT_FOUND'],
  },
  'POST /admin/order/:id/checkers/send': {
    id: 'resendCheckers',
    tag: 'admin',
    summary: 'Send the serials and PINs of an order to its receiver again, by SMS',
    access: ANSWERS_REPORTS,
    params: orderParams,
    reply: messageReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'POST /admin/checker-codes/:code/replace': {
    id: 'replaceChecker',
    tag: 'admin',
    summary: 'Give the buyer of a faulty code another one, once',
    access: ANSWERS_REPORTS,
    params: codeParams,
    body: z.object({ reason }),
    reply: soldReply,
    errors: ['NOT_FOUND', 'CONFLICT', 'SECOND_PERSON_NEEDED'],
  },
})
