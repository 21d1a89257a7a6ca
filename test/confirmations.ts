import { hashNumberCode } from '../server/features/people/numbers/send-number-code.ts'
import type { SignedInUser } from '../shared/users.ts'
import type { TestShop } from './app.ts'

type Shop = Pick<TestShop, 'database' | 'clock'>
type Account = Pick<SignedInUser, '_id'>

/** A code that works and was sent to a number, as its account types it. */
export async function makeNumberCode(shop: Shop, { _id }: Account, phoneNumber: string) {
  const [id, code] = [crypto.randomUUID(), '428517']
  await shop.database.db.query(
    `insert into payout_codes (id, phone, asked_by, asked_at, hash, ends_at) values ($1, $2, $3, $4, $5, $4::timestamptz + interval '10 minutes')`,
    [id, phoneNumber, _id, shop.clock.now, hashNumberCode(id, code)],
  )
  return { phoneNumber, code }
}

/** Confirms a number for an account, its own unless another is given, and takes it from the account that had confirmed it. */
export async function confirmNumberOf(shop: Shop, account: Pick<SignedInUser, '_id' | 'phone'>, phoneNumber = account.phone) {
  await makeNumberCode(shop, account, phoneNumber)
  await shop.database.db.query('update payout_codes set used_at = $3 where asked_by = $1 and phone = $2 and used_at is null', [
    account._id,
    phoneNumber,
    shop.clock.now,
  ])
  await shop.database.db.query('delete from confirmed_numbers where phone = $1', [phoneNumber])
  await shop.database.db.query(
    `insert into confirmed_numbers (phone, user_id, code_id, confirmed_at)
     select phone, asked_by, id, used_at from payout_codes where asked_by = $1 and phone = $2 and shop_id is null order by asked_at desc, id limit 1`,
    [account._id, phoneNumber],
  )
}

/** As if the account had opened the link in a mail to its present address. */
export async function confirmEmailOf(shop: Shop, { _id }: Pick<SignedInUser, '_id'>) {
  await shop.database.db.query('update users set email_confirmed_at = $2 where id = $1', [_id, shop.clock.now])
}
