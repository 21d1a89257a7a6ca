import { noticeEndpoints } from './notice.ts'
import { rechargeEndpoints } from './recharges.ts'
import { shopEndpoints } from './shop.ts'

/** Every endpoint of the API. */
export const routes = { ...noticeEndpoints, ...rechargeEndpoints, ...shopEndpoints }
export type Routes = typeof routes
