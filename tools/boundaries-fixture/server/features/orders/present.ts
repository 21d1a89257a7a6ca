// breaks: no-folder-cycle
import type { Message } from '../sms/queries.ts'
export type Shown = Message
