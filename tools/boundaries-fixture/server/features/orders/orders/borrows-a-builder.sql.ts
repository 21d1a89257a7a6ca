// breaks: no-test-code
import { aUser } from '../../../../test/builders.ts'
export const user = aUser
