// breaks: shared-alone
import type { Entry } from '../server/ledger/ledger.ts'
export type Row = Entry
