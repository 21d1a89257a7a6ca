// breaks: layers-integrations
export { postEntry } from '../../ledger/ledger.ts'
