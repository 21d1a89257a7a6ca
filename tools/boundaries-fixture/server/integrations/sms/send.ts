import { connect } from '../../platform/db.ts'
export const send = connect
