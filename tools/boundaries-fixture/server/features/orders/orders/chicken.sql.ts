// breaks: no-cycle
import { egg } from './egg.sql.ts'
export const chicken = () => egg
