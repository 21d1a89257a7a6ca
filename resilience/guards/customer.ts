import { beforeEach, type Guard, replaceInWeb } from './guard.ts'

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
  {
    experiment: 'P1',
    runs: 5,
    removed: 'that the shop is asked about a purchase without an answer (it is called refused)',
    replaced: [replaceInWeb('../../web/lib/http.ts', { isOutcomeUnknown: () => () => false })],
  },
  {
    experiment: 'P2',
    runs: 1,
    removed: 'that a page shows the balance which is announced',
    replaced: [replaceInWeb('../../web/lib/session-change.ts', { updateSessionUser: () => () => {} })],
  },
  {
    experiment: 'P3',
    runs: 3,
    removed: 'that a line of a statement has the balance after it',
    fromDatabase: (db) => beforeEach(db, 'insert', 'postings', 'new.balance_after_pesewas := new.balance_after_pesewas + 1;'),
  },
  {
    experiment: 'P4',
    runs: 1,
    removed: 'that a failure looks like one',
    replaced: [replaceInWeb('../../web/ui/toast.ts', { toast: ({ toast }) => ({ ...toast, danger: toast.success }) })],
  },
  { experiment: 'P5', runs: 1, removed: 'that a purchase keeps its key (each call has a new one)', replaced: [NEW_KEYS] },
]
