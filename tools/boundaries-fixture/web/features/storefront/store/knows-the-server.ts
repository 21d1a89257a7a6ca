// breaks: web-not-to-server
import type { Entry } from '../../../../server/ledger/ledger.ts'
export type KnowsTheServer = Entry
