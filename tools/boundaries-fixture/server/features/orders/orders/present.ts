// breaks: no-folder-cycle
import type { Message } from '../../messages/sms/queries.ts'
export type Shown = Message
