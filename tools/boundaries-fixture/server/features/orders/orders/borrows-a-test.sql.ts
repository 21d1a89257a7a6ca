// breaks: no-test-code
// breaks: no-import-of-a-test
import { fixture } from './approve-order.test.ts'
export const borrowed = fixture
