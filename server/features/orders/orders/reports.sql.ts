import type { Report, ReportStatus } from '../../../../shared/orders.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'
import { likePatterns, type Page } from '../../../platform/http/lists.ts'

export type ReportRow = {
  id: string
  orderId: string
  /** The order's number and its buyer. */
  orderSeq: number
  /** Null for a guest's. */
  userId: string | null
  status: ReportStatus
  openedAt: Date
  endedAt: Date | null
  /** Oldest first; `at` is a JSON timestamp. */
  messages: Report['messages']
}

const REPORT = `r.id, r.order_id as "orderId", o.seq as "orderSeq", o.user_id as "userId", r.status, r.opened_at as "openedAt",
  r.ended_at as "endedAt",
  (select coalesce(jsonb_agg(jsonb_build_object('from', case when m.from_shop then 'shop' else 'customer' end, 'text', m.body,
      'at', m.created_at) order by m.id), '[]')
   from report_messages m where m.report_id = r.id) as messages`

/** The newest report of an order. */
export async function selectReportOfOrder(db: Queryable, orderId: string): Promise<ReportRow | null> {
  const { rows } = await db.query<ReportRow>(
    `select ${REPORT} from reports r join orders o on o.id = r.order_id where r.order_id = $1 order by r.seq desc limit 1`,
    [orderId],
  )
  return rows[0] ?? null
}

export async function selectReport(db: Queryable, id: string): Promise<ReportRow | null> {
  const { rows } = await db.query<ReportRow>(`select ${REPORT} from reports r join orders o on o.id = r.order_id where r.id = $1`, [id])
  return rows[0] ?? null
}

/** One report, locked until the transaction ends. Whoever locks its order too locks that first. */
export async function lockReport(tx: Tx, id: string): Promise<ReportRow | null> {
  await tx.query('select from reports where id = $1 for update', [id])
  return selectReport(tx, id)
}

/** Null when the order has an open report already. */
export async function insertReport(tx: Tx, orderId: string, now: Date): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into reports (order_id, opened_at) values ($1, $2) on conflict (order_id) where status = 'open' do nothing returning id`,
    [orderId, now],
  )
  return rows[0]?.id ?? null
}

export async function insertReportMessage(
  tx: Tx,
  { reportId, userId, fromShop, text, now }: { reportId: string; userId: string | null; fromShop: boolean; text: string; now: Date },
): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    'insert into report_messages (report_id, user_id, from_shop, body, created_at) values ($1, $2, $3, $4, $5) returning id',
    [reportId, userId, fromShop, text, now],
  )
  return (rows[0] as { id: number }).id
}

export type ReportEnd = { outcome: Exclude<ReportStatus, 'open'>; endedBy: string | null; resendReference?: string | null; now: Date }

/** Ends the order's open report; null when it has none. */
export async function endOpenReport(tx: Tx, orderId: string, end: ReportEnd): Promise<string | null> {
  const { rows } = await tx.query<{ id: string }>(
    `update reports set status = $2, ended_at = $3, ended_by = $4, resend_reference = $5 where order_id = $1 and status = 'open' returning id`,
    [orderId, end.outcome, end.now, end.endedBy, end.resendReference ?? null],
  )
  return rows[0]?.id ?? null
}

/** Whether a report of the order ended in sending it once more. */
export async function isResent(db: Queryable, orderId: string): Promise<boolean> {
  const { rows } = await db.query(`select from reports where order_id = $1 and status = 'resent'`, [orderId])
  return rows.length > 0
}

/** The text that the list shows of a report. */
const SHOWN = `concat_ws(' ', o.seq, u.username, o.guest_phone, o.network, o.receiver, o.offer, shown_amount(o.price_pesewas), r.status,
  case when o.paid_with = 'card' then shown_amount(o.price_pesewas + o.surcharge_pesewas) end,
  (select m.body from report_messages m where m.report_id = r.id order by m.id desc limit 1))`

/** Reports by status and by what the list shows of them, the newest first. */
export async function selectReports(
  db: Queryable,
  { status, search, limit, offset }: Page & { status: ReportStatus | null },
): Promise<{ reports: ReportRow[]; total: number }> {
  const matching = `from reports r join orders o on o.id = r.order_id left join users u on u.id = o.user_id
    where ($1::text is null or r.status = $1) and ($2::text[] is null or ${SHOWN} ilike any ($2))`
  const values = [status, likePatterns(search)]
  const [page, count] = await Promise.all([
    db.query<ReportRow>(`select ${REPORT} ${matching} order by r.seq desc limit $3 offset $4`, [...values, limit, offset]),
    db.query<{ total: number }>(`select count(*) as total ${matching}`, values),
  ])
  return { reports: page.rows, total: count.rows[0]?.total ?? 0 }
}

/** Whether the order was sold from the stock of checkers. */
export async function hasCheckers(tx: Tx, orderId: string): Promise<boolean> {
  const { rowCount } = await tx.query(`select from orders where id = $1 and cost_supplier = 'checker-stock'`, [orderId])
  return rowCount === 1
}
