import type { Notice } from '../../../shared/notice.ts'
import type { Queryable } from '../../platform/db.ts'

export async function selectNotice(db: Queryable): Promise<Notice> {
  const { rows } = await db.query<Notice>(
    `select notice_content as "noticeContent", momo_phone_number as "momoPhoneNumber", momo_account_name as "momoAccountName" from shop_settings`,
  )
  return rows[0] as Notice
}
