import { connect } from '../server/platform/db.ts'
export const aUser = () => connect
