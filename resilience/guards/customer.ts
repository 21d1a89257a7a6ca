import { beforeEach, type Guard, guard, replaceInWeb } from './guard.ts'

/** Each call that has a key gets a new one. */
export const NEW_KEYS = replaceInWeb('../../web/lib/api.ts', {
  call:
    ({ call }) =>
    (route: string, sent: { headers?: object }) => {
      const headers = Object.fromEntries(Object.keys(sent?.headers ?? {}).map((name) => [name, crypto.randomUUID()]))
      return call(route, { ...sent, headers })
    },
})

/** P. What the customer sees. */
export const customerGuards: Guard[] = [
  guard('P1', 5, 'that the shop is asked about a purchase without an answer (it is called refused)', {
    replaced: [replaceInWeb('../../web/lib/http.ts', { isOutcomeUnknown: () => () => false })],
  }),
  guard('P2', 1, 'that a page shows the balance which is announced', {
    replaced: [replaceInWeb('../../web/lib/session-change.ts', { updateSessionUser: () => () => {} })],
  }),
  guard('P3', 3, 'that a line of a statement has the balance after it', {
    fromDatabase: (db) => beforeEach(db, 'insert', 'postings', 'new.balance_after_pesewas := new.balance_after_pesewas + 1;'),
  }),
  guard('P4', 1, 'that a failure looks like one', {
    replaced: [replaceInWeb('../../web/ui/toast.ts', { toast: ({ toast }) => ({ ...toast, danger: toast.success }) })],
  }),
  guard('P5', 1, 'that a purchase keeps its key (each call has a new one)', { replaced: [NEW_KEYS] }),
]
