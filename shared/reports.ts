import * as z from 'zod/mini'
import { endpoints, idParam } from './endpoint.ts'
import { tidy } from './fields.ts'
import { listQuery } from './lists.ts'
import { order, orderParams, REPORT_STATUSES, report } from './orders.ts'
import { MAX_REPORT_TEXT } from './report-rules.ts'
import { ANSWERS_REPORTS } from './staff-rules.ts'
import { DELIVERY_STATUSES } from './suppliers.ts'

const TOO_LONG = { error: `Write at most ${MAX_REPORT_TEXT} characters.` }
const line = z.string(TOO_LONG).check(tidy(), z.maxLength(MAX_REPORT_TEXT, TOO_LONG), noControlCharacters())

const WORDS = { error: 'Write a line.' }
const requiredLine = line.check(z.minLength(1, WORDS))

/** Opens a report; `text` is a line of the customer's own, if they want to add one. */
const openReportRequest = z.object({ text: z.optional(line) })
const reportMessageRequest = z.object({ text: requiredLine })

const REASON = { error: 'Tell the customer in 3 to 300 characters what you found or did.' }
/**
 * How the shop ends a report, in words that the customer reads. `supplierStatus` is the delivery's status that the admin saw:
 * if it has changed since, nothing is done.
 */
export const endReportRequest = z.object({
  outcome: z.enum(['delivered', 'resent', 'refunded'], { error: 'A report ends as delivered, resent or refunded.' }),
  text: z.string(REASON).check(tidy(), z.minLength(3, REASON), z.maxLength(300, REASON), noControlCharacters()),
  supplierStatus: z.optional(z.enum(DELIVERY_STATUSES, { error: 'Say how the order stands at its supplier.' })),
})
export type EndReportRequest = z.output<typeof endReportRequest>

const reportListQuery = z.extend(listQuery, {
  status: z.optional(z.enum(REPORT_STATUSES, { error: 'Choose a status from the list.' })),
})

/** A report as the shop sees it: with its order. */
const reportOfOrder = z.extend(report, { order })
export type ReportOfOrder = z.output<typeof reportOfOrder>

const reportReply = z.object({ report })

/** PostgreSQL cannot store NUL, and the other control characters but line breaks show nothing. */
function noControlCharacters() {
  return z.refine<string>((text) => ![...text].some((letter) => letter < ' ' && letter !== '\n'), {
    error: 'That text holds characters that cannot be shown.',
  })
}

export const reportEndpoints = endpoints({
  'POST /order/:id/report': {
    id: 'openReport',
    tag: 'orders',
    summary: "Report that one's own order has not arrived, after the network's usual time",
    access: 'signed-in',
    params: orderParams,
    body: openReportRequest,
    reply: reportReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'POST /report/:id/message': {
    id: 'addReportMessage',
    tag: 'orders',
    summary: "Add a line to one's own open report; an admin replies for the shop",
    access: 'signed-in',
    params: idParam('report'),
    body: reportMessageRequest,
    reply: reportReply,
    errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'CONFLICT'],
  },
  'GET /admin/reports': {
    id: 'listReports',
    tag: 'admin',
    summary: 'Orders that customers say have not arrived, the newest report first',
    access: ANSWERS_REPORTS,
    query: reportListQuery,
    reply: z.array(reportOfOrder),
    list: true,
  },
  'PUT /admin/reports/:id/end': {
    id: 'endReport',
    tag: 'admin',
    summary: 'End a report: delivered after all, sent once more, or refunded',
    access: ANSWERS_REPORTS,
    params: idParam('report'),
    body: endReportRequest,
    reply: z.object({ report: reportOfOrder }),
    errors: ['NOT_FOUND', 'ALREADY_DECIDED', 'CONFLICT', 'SECOND_PERSON_NEEDED'],
  },
})
