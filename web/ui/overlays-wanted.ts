import { createStore } from '../lib/store.ts'

/** True once there is something to tell or to ask: the code that shows it is then loaded. */
export const overlaysWanted = createStore(false)
