import { createStore } from '../lib/store.ts'

/** True once there is a message or a question to show; its code is then loaded. */
export const overlaysWanted = createStore(false)
