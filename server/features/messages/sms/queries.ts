import type { SmsGateway } from '../../../integrations/sms/sms-gateway.ts'
import type { Queryable } from '../../../platform/db.ts'
import { selectSettings } from '../../shop/settings/settings.sql.ts'

/** Ghanaian mobile numbers in local form; messages go to no others. */
export const MOBILE = /^0[25]\d{8}$/

/** Whether a guest gets messages about their order by themselves; what the shop can't or won't send is not promised. */
export async function tellsGuests(db: Queryable, { sender }: Pick<SmsGateway, 'sender'>, phone: string): Promise<boolean> {
  return canText({ sender }, phone) && (await selectSettings(db)).buyerSms
}

/** Whether a message that is asked for, such as a code, can be sent there. */
export function canText({ sender }: Pick<SmsGateway, 'sender'>, phone: string): boolean {
  return sender !== null && MOBILE.test(phone)
}
