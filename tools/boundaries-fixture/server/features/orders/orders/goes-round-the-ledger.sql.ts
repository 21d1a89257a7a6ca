// breaks: ledger-by-its-door
import { insertPosting } from '../../../ledger/ledger.sql.ts'
export const steal = insertPosting
