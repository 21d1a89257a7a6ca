// breaks: sandbox-apart
import { connect } from '../server/platform/db.ts'
export const db = connect
