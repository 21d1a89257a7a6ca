// breaks: layers-platform
import { type Entry } from '../ledger/ledger.ts'
export type Posted = Entry
