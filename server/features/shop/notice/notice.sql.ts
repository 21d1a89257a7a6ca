import type { Notice } from '../../../../shared/notice.ts'
import type { Queryable, Tx } from '../../../platform/db.ts'

export async function selectNotice(db: Queryable): Promise<Notice> {
  const { rows } = await db.query<Notice>(
    `select notice_content as "noticeContent", momo_phone_number as "momoPhoneNumber", momo_account_name as "momoAccountName" from shop_settings`,
  )
  return rows[0] as Notice
}

/** The notice and payment details, locked until the transaction ends. */
export async function lockNotice(tx: Tx): Promise<Notice> {
  await tx.query('select from shop_settings for update')
  return selectNotice(tx)
}

export async function updateNotice(tx: Tx, notice: Notice, now: Date) {
  await tx.query('update shop_settings set notice_content = $1, momo_phone_number = $2, momo_account_name = $3, updated_at = $4', [
    notice.noticeContent,
    notice.momoPhoneNumber,
    notice.momoAccountName,
    now,
  ])
}
