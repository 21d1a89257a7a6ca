// breaks: layers-ledger
import { send } from '../integrations/sms/send.ts'
export const told = send
